(* How a round is played, and what becomes of a bet and of an insurance bet.

   This is the page to read beside a document. The Table of Play, the pay table of a bet and an insurance
   state are data; everything below holds for any of them. *)

From Coq Require Import NArith QArith List Bool.
From Baccarat Require Import Cards.
Import ListNotations.
Open Scope N_scope.

Definition among (points : list N) (total : N) : bool := existsb (N.eqb total) points.

(* ------------------------------------------------------------------ the Table of Play *)

(* As it is printed (3.15 in 2024, 3.12 in 2025, 3.7 in 2013), by the points of the first two cards:
   natural: the totals that end the round on either side;
   player_draws: the totals on which the Player Hand draws; on any other it stands;
   banker_draws: rows; with one of these totals, the Banker Hand draws on these third cards of the Player;
   banker_draws_when_player_stood: when the Player Hand took no third card (3.13, 3.11, 3.6). *)
Record table : Set := Table {
  natural : list N;
  player_draws : list N;
  banker_draws : list (list N * list N);
  banker_draws_when_player_stood : list N
}.

Definition banker_draws_on (play : table) (total third : N) : bool :=
  existsb (fun row => among (fst row) total && among (snd row) third) (banker_draws play).

Inductive hand : Set := Player | Banker.

(* The cards on the table so far, in the order each hand received them. *)
Record round : Set := Round { player : list rank; banker : list rank }.

Definition two_cards (one other : rank) : N := last_digit (points one + points other).

(* The hand that is dealt the next card. None: the round is over.
   The first four go to Player, Banker, Player, Banker (3.10 in 2024 and 2025, 3.4 in 2013). *)
Definition next (play : table) (dealt : round) : option hand :=
  match player dealt, banker dealt with
  | [], [] => Some Player
  | [_], [] => Some Banker
  | [_], [_] => Some Player
  | [_; _], [_] => Some Banker
  | [p1; p2], [b1; b2] =>
      if among (natural play) (two_cards p1 p2) || among (natural play) (two_cards b1 b2) then None
      else if among (player_draws play) (two_cards p1 p2) then Some Player
      else if among (banker_draws_when_player_stood play) (two_cards b1 b2) then Some Banker
      else None
  | [_; _; p3], [b1; b2] =>
      if banker_draws_on play (two_cards b1 b2) (points p3) then Some Banker else None
  | _, _ => None
  end.

Definition with_card (dealt : round) (to : hand) (card : rank) : round :=
  match to with
  | Player => Round (player dealt ++ [card]) (banker dealt)
  | Banker => Round (player dealt) (banker dealt ++ [card])
  end.

(* A round ends when no hand draws. It is void when a hand must draw and the shoe is empty
   (5.5.4 in 2024 and 2025, 5.1.3 in 2013). *)
Inductive ended : Set := Over (dealt : round) | Void (dealt : round).

(* The round that cards dealt in this order make; the cards that it does not need are not looked at. *)
Fixpoint played (play : table) (dealt : round) (coming : list rank) : ended :=
  match next play dealt with
  | None => Over dealt
  | Some to =>
      match coming with
      | [] => Void dealt
      | card :: rest => played play (with_card dealt to card) rest
      end
  end.

Definition no_cards : round := Round [] [].

(* Every round that a shoe can deal: six cards always, read by the rules. All counts are over these. *)
Definition rounds (play : table) (left : shoe) : weighted ended :=
  map (fun dealt => (played play no_cards (fst dealt), snd dealt)) (deal 6 left).

(* ------------------------------------------------------------------ what a round came to *)

(* How the first two cards of each hand match: by rank, which is a pair (1.19, 1.18 in 2024; 1.33, 1.21
   in 2025; section 1 in 2013), and by points, which only other readings of those clauses look at. *)
Inductive pairs : Set := NoPair | SinglePair | DoublePair | TwinPair.

Record matches : Set := Matches {
  player_pair : bool; banker_pair : bool; rank_pairs : pairs;
  player_point_pair : bool; banker_point_pair : bool; point_pairs : pairs
}.

Definition pairs_of (player_has banker_has the_same : bool) : pairs :=
  if player_has && banker_has then (if the_same then TwinPair else DoublePair)
  else if player_has || banker_has then SinglePair else NoPair.

Definition same_points (one other : rank) : bool := points one =? points other.

Definition matches_of (p1 p2 b1 b2 : rank) : matches :=
  Matches (same_rank p1 p2) (same_rank b1 b2)
          (pairs_of (same_rank p1 p2) (same_rank b1 b2) (same_rank p1 b1))
          (same_points p1 p2) (same_points b1 b2)
          (pairs_of (same_points p1 p2) (same_points b1 b2) (same_points p1 b1)).

(* A round by points: how its first four cards match, the total of each hand's first two cards, the third
   cards, if any, and whether it is void. *)
Record course : Set := Course {
  matching : matches;
  player_first : N; banker_first : N;
  player_third : option N; banker_third : option N;
  is_void : bool
}.

Definition third (cards : list rank) : option N :=
  match cards with [] => None | card :: _ => Some (points card) end.

Definition course_by (void : bool) (dealt : round) : option course :=
  match player dealt, banker dealt with
  | p1 :: p2 :: p3, b1 :: b2 :: b3 =>
      Some (Course (matches_of p1 p2 b1 b2) (two_cards p1 p2) (two_cards b1 b2) (third p3) (third b3) void)
  | _, _ => None
  end.

(* None: the shoe had not even four cards. *)
Definition course_of (round_ended : ended) : option course :=
  match round_ended with Over dealt => course_by false dealt | Void dealt => course_by true dealt end.

Definition with_third (first : N) (more : option N) : N :=
  match more with None => first | Some card => last_digit (first + card) end.

Definition player_points (went : course) : N := with_third (player_first went) (player_third went).
Definition banker_points (went : course) : N := with_third (banker_first went) (banker_third went).

Definition number_of_cards (more : option N) : N := match more with None => 2 | Some _ => 3 end.

(* What bets are settled on. None: the round is void. *)
Record outcome : Set := Outcome {
  of_first_four : matches;
  of_player : N; of_banker : N;             (* Point Totals *)
  player_number : N; banker_number : N      (* numbers of cards *)
}.

Definition outcome_of (went : option course) : option outcome :=
  match went with
  | Some c =>
      if is_void c then None
      else Some (Outcome (matching c) (player_points c) (banker_points c)
                         (number_of_cards (player_third c)) (number_of_cards (banker_third c)))
  | None => None
  end.

(* The higher Point Total wins; equal totals are a Tie (3.16, 3.17 in 2024; 3.13, 3.14 in 2025; 3.8, 3.9 in 2013). *)
Inductive winner : Set := PlayerWins | BankerWins | Tie.

Definition winner_of (player_total banker_total : N) : winner :=
  match player_total ?= banker_total with Gt => PlayerWins | Lt => BankerWins | Eq => Tie end.

(* ------------------------------------------------------------------ bets *)

(* What a line of a pay table may ask for. A natural is 8 or 9 with two cards. Any_of: at least one is so, for a fact
   that may have several values. None_of: of these cases none is so, for what is taken out of a line; a case is so
   when all its facts are. *)
Inductive fact : Set :=
  | Winner (who : winner)
  | Winning_points (some : list N) | Losing_points (some : list N)
  | Winning_cards (some : list N) | Losing_cards (some : list N)
  | Total_points (some : list N)
  | Player_natural (so : bool) | Banker_natural (so : bool) | Natural (so : bool)
  | Player_points (some : list N) | Banker_points (some : list N)
  | Player_cards (number : N) | Banker_cards (number : N) | Cards (number : N)
  | Margin (points : N)
  | Player_pair (so : bool) | Banker_pair (so : bool) | Pairs (which : pairs)
  | Player_point_pair (so : bool) | Banker_point_pair (so : bool) | Point_pairs (which : pairs)
  | Any_of (some : list fact) | None_of (cases : list (list fact)).

Definition same_winner (one other : winner) : bool :=
  match one, other with
  | PlayerWins, PlayerWins | BankerWins, BankerWins | Tie, Tie => true
  | _, _ => false
  end.

Definition same_pairs (one other : pairs) : bool :=
  match one, other with
  | NoPair, NoPair | SinglePair, SinglePair | DoublePair, DoublePair | TwinPair, TwinPair => true
  | _, _ => false
  end.

(* Whether a number of the hand that won is among some: the first where the Player Hand won, else the second. *)
Definition of_winner_among (some : list N) (o : outcome) (player_won banker_won : N) : bool :=
  match winner_of (of_player o) (of_banker o) with
  | PlayerWins => among some player_won
  | BankerWins => among some banker_won
  | Tie => false
  end.

Definition is_natural (points number : N) : bool := (number =? 2) && among [8; 9] points.

Definition distance (one other : N) : N := if one <? other then other - one else one - other.

Fixpoint is_so (o : outcome) (said : fact) : bool :=
  match said with
  | Winner who => same_winner (winner_of (of_player o) (of_banker o)) who
  | Winning_points some => of_winner_among some o (of_player o) (of_banker o)
  | Losing_points some => of_winner_among some o (of_banker o) (of_player o)
  | Winning_cards some => of_winner_among some o (player_number o) (banker_number o)
  | Losing_cards some => of_winner_among some o (banker_number o) (player_number o)
  | Total_points some => among some (of_player o + of_banker o)
  | Player_natural so => eqb (is_natural (of_player o) (player_number o)) so
  | Banker_natural so => eqb (is_natural (of_banker o) (banker_number o)) so
  | Natural so => eqb (is_natural (of_player o) (player_number o) || is_natural (of_banker o) (banker_number o)) so
  | Player_points some => among some (of_player o)
  | Banker_points some => among some (of_banker o)
  | Player_cards number => player_number o =? number
  | Banker_cards number => banker_number o =? number
  | Cards number => player_number o + banker_number o =? number
  | Margin points => distance (of_player o) (of_banker o) =? points
  | Player_pair so => eqb (player_pair (of_first_four o)) so
  | Banker_pair so => eqb (banker_pair (of_first_four o)) so
  | Pairs which => same_pairs (rank_pairs (of_first_four o)) which
  | Player_point_pair so => eqb (player_point_pair (of_first_four o)) so
  | Banker_point_pair so => eqb (banker_point_pair (of_first_four o)) so
  | Point_pairs which => same_pairs (point_pairs (of_first_four o)) which
  | Any_of some => existsb (is_so o) some
  | None_of cases => negb (existsb (forallb (is_so o)) cases)
  end.

(* A line pays its odds, profit to 1, when all its facts are so; 0 is a push. A bet is its lines: the first
   that is met settles it, and where none is it loses. A void round returns it. *)
Record line : Set := Line { facts : list fact; odds : Q }.
Definition bet : Set := list line.

Inductive settled : Set := ByLine (number : nat) | Lost | Returned.

Fixpoint settled_from (number : nat) (lines : bet) (o : outcome) : settled :=
  match lines with
  | [] => Lost
  | one :: rest => if forallb (is_so o) (facts one) then ByLine number else settled_from (S number) rest o
  end.

Definition settlement (lines : bet) (o : option outcome) : settled :=
  match o with None => Returned | Some it => settled_from 1 lines it end.

Definition same_settled (one other : settled) : bool :=
  match one, other with
  | ByLine m, ByLine n => Nat.eqb m n
  | Lost, Lost | Returned, Returned => true
  | _, _ => false
  end.

(* In how many ways a bet is settled so. Lines are counted from 1. *)
Definition ways (play : table) (lines : bet) (so : settled) (left : shoe) : N :=
  total (fun e => indicator (same_settled (settlement lines (outcome_of (course_of e))) so)) (rounds play left).

(* The profit of a unit staked. *)
Definition net (lines : bet) (so : settled) : Q :=
  match so with
  | ByLine number => odds (nth (pred number) lines (Line [] 0))
  | Lost => - (1)
  | Returned => 0
  end.

(* The mean of the net result over all sequences of cards, and what the house keeps of a unit. *)
Fixpoint mean_total {A : Type} (figure : A -> Q) (things : weighted A) : Q :=
  match things with
  | [] => 0
  | (thing, times) :: rest => figure thing * inject_Z (Z.of_N times) + mean_total figure rest
  end.

Definition expected_value (play : table) (lines : bet) (left : shoe) : Q :=
  mean_total (fun e => net lines (settlement lines (outcome_of (course_of e)))) (rounds play left)
  / inject_Z (Z.of_N (sample_space left)).

Definition house_edge (play : table) (lines : bet) (left : shoe) : Q := - expected_value play lines left.

(* ------------------------------------------------------------------ insurance *)

Inductive stage : Set := Four_cards | Player_third_card.

(* When an offer is open: only while a card is to come, or whenever its totals are on the table. *)
Inductive opening : Set := Card_to_come | Whenever_listed.

(* How a round that passed a moment came out. *)
Inductive issue : Set := Won_by (who : hand) | Tied (points : N) | Void_after.

Definition issue_of (went : course) : issue :=
  if is_void went then Void_after
  else match winner_of (player_points went) (banker_points went) with
       | PlayerWins => Won_by Player
       | BankerWins => Won_by Banker
       | Tie => Tied (player_points went)
       end.

Definition drawn (more : option N) : bool := match more with None => false | Some _ => true end.

Record passage : Set := Passage { player_then : N; banker_then : N; came_out : issue }.

(* Both totals at a stage where an offer is open, and how the round came out. None: it did not come to such
   a moment. A card was to come where one came, or where the shoe had none to give. *)
Definition passage_at (when : stage) (open : opening) (went : option course) : option passage :=
  match went with
  | None => None
  | Some c =>
      match when, player_third c with
      | Four_cards, _ =>
          if match open with
             | Whenever_listed => true
             | Card_to_come => drawn (player_third c) || drawn (banker_third c) || is_void c
             end
          then Some (Passage (player_first c) (banker_first c) (issue_of c)) else None
      | Player_third_card, None => None
      | Player_third_card, Some _ =>
          if match open with
             | Whenever_listed => true
             | Card_to_come => drawn (banker_third c) || is_void c
             end
          then Some (Passage (player_points c) (banker_first c) (issue_of c)) else None
      end
  end.

(* An insurance state: the hand insured, when, both totals then, the odds, and on which ties it pays them
   (the starred lines: 4.2.1 in 2024). It wins when the insured hand loses; on any other tie it comes back. *)
Record state : Set := State {
  side : hand; at_stage : stage; player_at : N; banker_at : N; state_odds : Q; tie_pays : list N
}.

Definition same_hand (one other : hand) : bool :=
  match one, other with Player, Player | Banker, Banker => true | _, _ => false end.

Inductive insured : Set := Won | Pushed | Missed.

Definition insurance_settled (offered : state) (out : issue) : insured :=
  match out with
  | Void_after => Pushed
  | Tied points => if among (tie_pays offered) points then Won else Pushed
  | Won_by who => if same_hand (side offered) who then Missed else Won
  end.

Definition is_at (offered : state) (passing : option passage) : option insured :=
  match passing with
  | Some p =>
      if (player_then p =? player_at offered) && (banker_then p =? banker_at offered)
      then Some (insurance_settled offered (came_out p)) else None
  | None => None
  end.

Inductive count : Set := Reached | Insurance_wins | Insurance_returned | Insurance_loses.

Definition counts_in (what : count) (became : option insured) : bool :=
  match what, became with
  | Reached, Some _ => true
  | Insurance_wins, Some Won | Insurance_returned, Some Pushed | Insurance_loses, Some Missed => true
  | _, _ => false
  end.

(* In how many ways a round comes to the state, and in how many of them the insurance bet wins, comes back
   or loses. *)
Definition state_ways (play : table) (open : opening) (offered : state) (what : count) (left : shoe) : N :=
  total (fun e => indicator (counts_in what (is_at offered (passage_at (at_stage offered) open (course_of e)))))
        (rounds play left).

(* What the house keeps of a unit staked on it, given that the round came to the state. *)
Definition edge_from (pays : Q) (reached wins loses : N) : Q :=
  (inject_Z (Z.of_N loses) - pays * inject_Z (Z.of_N wins)) / inject_Z (Z.of_N reached).

Definition state_edge (play : table) (open : opening) (offered : state) (left : shoe) : Q :=
  edge_from (state_odds offered)
            (state_ways play open offered Reached left)
            (state_ways play open offered Insurance_wins left)
            (state_ways play open offered Insurance_loses left).
