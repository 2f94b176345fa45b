(* The form that is quick enough to compute with, and the proof that it counts what the rounds count.

   Three steps, each of which changes the list and not what it adds up to:
   - the first four cards are walked by rank, and openings that differ in nothing that matters are put together;
   - after four cards only points matter: cards worth the same go on together, and ten numbers are the shoe;
   - what is left is put together once more: courses, then outcomes, then passages of a moment.

   The theorem at the end of each step holds for every shoe and every Table of Play. *)

From Coq Require Import NArith PArith List Bool Lia.
From Baccarat Require Import Cards Play Walk.
Import ListNotations.
Open Scope N_scope.

(* ------------------------------------------------------------------ equal things put together *)

Section Collected.
  Variable A : Type.
  Variable same : A -> A -> bool.
  Variable code : A -> positive.    (* where to look for a thing; things may share a place *)
  Hypothesis same_is_equal : forall one other, same one other = true -> one = other.

  Inductive tree : Type := Leaf | Node (here : weighted A) (lower upper : tree).

  Fixpoint put (thing : A) (times : N) (here : weighted A) : weighted A :=
    match here with
    | [] => [(thing, times)]
    | (other, there) :: rest =>
        if same thing other then (other, there + times) :: rest else (other, there) :: put thing times rest
    end.

  Fixpoint put_at (where_ : positive) (thing : A) (times : N) (held : tree) : tree :=
    match held with
    | Leaf =>
        match where_ with
        | xH => Node [(thing, times)] Leaf Leaf
        | xO more => Node [] (put_at more thing times Leaf) Leaf
        | xI more => Node [] Leaf (put_at more thing times Leaf)
        end
    | Node here lower upper =>
        match where_ with
        | xH => Node (put thing times here) lower upper
        | xO more => Node here (put_at more thing times lower) upper
        | xI more => Node here lower (put_at more thing times upper)
        end
    end.

  Fixpoint listed (held : tree) (tail : weighted A) : weighted A :=
    match held with
    | Leaf => tail
    | Node here lower upper => here ++ listed lower (listed upper tail)
    end.

  Fixpoint gathered (things : weighted A) (held : tree) : tree :=
    match things with
    | [] => held
    | (thing, times) :: rest => gathered rest (put_at (code thing) thing times held)
    end.

  Definition collected (things : weighted A) : weighted A := listed (gathered things Leaf) [].

  Lemma total_put : forall f thing times here,
    total f (put thing times here) = f thing * times + total f here.
  Proof.
    induction here as [|[other there] here IH]; cbn; [reflexivity|].
    destruct (same thing other) eqn:E; cbn; [|rewrite IH; lia].
    apply same_is_equal in E. subst. lia.
  Qed.

  Lemma total_listed : forall f held tail, total f (listed held tail) = total f (listed held []) + total f tail.
  Proof.
    induction held as [|here lower IHl upper IHu]; intro tail; cbn; [reflexivity|].
    rewrite !total_app, (IHl (listed upper tail)), (IHl (listed upper [])), (IHu tail). lia.
  Qed.

  Lemma total_put_at : forall f thing times where_ held,
    total f (listed (put_at where_ thing times held) []) = f thing * times + total f (listed held []).
  Proof.
    induction where_ as [more IH|more IH|]; intros [|here lower upper]; cbn; rewrite ?total_app.
    - rewrite IH. cbn. lia.
    - rewrite total_listed, IH, (total_listed _ lower (listed upper [])). lia.
    - rewrite total_listed, IH. cbn. lia.
    - rewrite total_listed, IH, (total_listed _ lower (listed upper [])). lia.
    - cbn. lia.
    - rewrite total_put. lia.
  Qed.

  Lemma total_gathered : forall f things held,
    total f (listed (gathered things held) []) = total f things + total f (listed held []).
  Proof.
    induction things as [|[thing times] things IH]; intro held; cbn; [reflexivity|].
    rewrite IH, total_put_at. lia.
  Qed.

  Theorem total_collected : forall f things, total f (collected things) = total f things.
  Proof. intros. unfold collected. rewrite total_gathered. cbn. lia. Qed.
End Collected.

(* A place for some small numbers: their digits one after the other. *)
Fixpoint place_of (digits : list N) (so_far : positive) : positive :=
  match digits with
  | [] => so_far
  | digit :: rest =>
      place_of rest (match digit with N0 => so_far~0~0~0~0 | Npos p => so_far~0~0~0~0 + p end)%positive
  end.

(* ------------------------------------------------------------------ the shoe by points *)

Definition digits : list N := [0; 1; 2; 3; 4; 5; 6; 7; 8; 9].

Definition by_points (left : shoe) : list N :=
  [left Ten + left Jack + left Queen + left King; left Ace; left Two; left Three; left Four; left Five;
   left Six; left Seven; left Eight; left Nine].

Fixpoint minus (held : list N) (which : N) : list N :=
  match held with
  | [] => []
  | number :: rest => if which =? 0 then N.pred number :: rest else number :: minus rest (N.pred which)
  end.

Fixpoint sum (held : list N) : N := match held with [] => 0 | number :: rest => number + sum rest end.

(* Each value with the number of its cards. *)
Fixpoint draw_from {A : Type} (which : N) (held : list N) (and_then : N -> weighted A) : weighted A :=
  match held with
  | [] => []
  | number :: rest =>
      (if number =? 0 then [] else times number (and_then which)) ++ draw_from (N.succ which) rest and_then
  end.

Lemma sum_by_points : forall left, sum (by_points left) = size left.
Proof. intro. unfold size, over_ranks. cbn. lia. Qed.

Lemma by_points_without : forall left card, left card <> 0 ->
  by_points (without left card) = minus (by_points left) (points card).
Proof. intros left card H. unfold by_points, without. destruct card; cbn; repeat f_equal; lia. Qed.

Lemma draw_by_points : forall A (f : A -> N) left (k : N -> weighted A),
  total f (draw left (fun card _ => k (points card))) = total f (draw_from 0 (by_points left) k).
Proof.
  intros. rewrite total_draw. unfold by_points. cbn - [N.eqb]. rewrite !total_app, !total_drawn. cbn.
  unfold over_ranks. cbn. ring.
Qed.

Lemma minus_commutes : forall held one other, minus (minus held one) other = minus (minus held other) one.
Proof.
  induction held as [|number held IH]; intros one other; [reflexivity|]. cbn.
  destruct (N.eqb_spec one 0) as [->|A], (N.eqb_spec other 0) as [->|B]; cbn;
    repeat match goal with |- context [?x =? 0] => destruct (N.eqb_spec x 0); [congruence|] end;
    try reflexivity.
  rewrite IH. reflexivity.
Qed.

(* ------------------------------------------------------------------ after four cards *)

(* The third cards, and whether the round is void. *)
Record rest_of_round : Set := Rest { player_more : option N; banker_more : option N; broke_off : bool }.

Definition natural_or_stood (held : list N) : weighted rest_of_round :=
  [(Rest None None false, ways_to_deal 2 (sum held))].

Definition banker_is_dealt (player_card : option N) (unseen : nat) (held : list N) : weighted rest_of_round :=
  if sum held =? 0 then [(Rest player_card None true, 1)]
  else let spare := ways_to_deal unseen (N.pred (sum held)) in
       draw_from 0 held (fun card => [(Rest player_card (Some card) false, spare)]).

Definition after_player (play : table) (total_of_banker : N) (held : list N) (card : N) : weighted rest_of_round :=
  if banker_draws_on play total_of_banker card then banker_is_dealt (Some card) 0 held
  else [(Rest (Some card) None false, ways_to_deal 1 (sum held))].

Definition after_four (play : table) (p b : N) (held : list N) : weighted rest_of_round :=
  if among (natural play) p || among (natural play) b then natural_or_stood held
  else if among (player_draws play) p then
    if sum held =? 0 then [(Rest None None true, 1)]
    else draw_from 0 held (fun card => after_player play b (minus held card) card)
  else if among (banker_draws_when_player_stood play) b then banker_is_dealt None 1 held
  else natural_or_stood held.

Definition course_with (m : matches) (p b : N) (more : rest_of_round) : option course :=
  Some (Course m p b (player_more more) (banker_more more) (broke_off more)).

Lemma banker_dealt : forall f left player_card unseen (k : rank -> shoe -> weighted ended)
  (m : matches) (p b : N) void,
  (forall card rest, total (fun e => f (course_of e)) (k card rest) =
     f (course_with m p b (Rest player_card (Some (points card)) false)) * ways_to_deal unseen (size rest)) ->
  course_of void = course_with m p b (Rest player_card None true) ->
  total (fun e => f (course_of e)) (if size left =? 0 then [(void, 1)] else draw left k) =
  total (fun more => f (course_with m p b more)) (banker_is_dealt player_card unseen (by_points left)).
Proof.
  intros f left player_card unseen k m p b void Hk Hv. unfold banker_is_dealt. rewrite sum_by_points.
  destruct (N.eqb_spec (size left) 0) as [E|E]; [cbn; rewrite Hv; reflexivity|].
  rewrite <- draw_by_points. apply draw_ext. intros card Hc.
  rewrite Hk, size_without by exact Hc. cbn - [course_with ways_to_deal]. lia.
Qed.

Lemma walk_some : forall play number left dealt, walk play number left dealt =
  match next play dealt with
  | None => [(Over dealt, ways_to_deal number (size left))]
  | Some to =>
      if size left =? 0 then [(Void dealt, 1)]
      else match number with
           | O => []
           | S fewer => draw left (fun card rest => walk play fewer rest (with_card dealt to card))
           end
  end.
Proof. intros. destruct number; reflexivity. Qed.

Lemma walk_after_four : forall play f left p1 p2 b1 b2,
  total (fun e => f (course_of e)) (walk play 2 left (Round [p1; p2] [b1; b2])) =
  total (fun more => f (course_with (matches_of p1 p2 b1 b2) (two_cards p1 p2) (two_cards b1 b2) more))
        (after_four play (two_cards p1 p2) (two_cards b1 b2) (by_points left)).
Proof.
  intros play f left p1 p2 b1 b2. rewrite walk_some. unfold after_four, natural_or_stood, next.
  cbn [player banker]. rewrite sum_by_points.
  destruct (_ || _); [reflexivity|].
  destruct (among (player_draws play) _).
  - destruct (N.eqb_spec (size left) 0) as [E|E]; [reflexivity|].
    rewrite total_draw. rewrite <- (draw_by_points _ _ left), total_draw.
    apply over_ranks_ext. intro p3.
    destruct (N.eq_dec (left p3) 0) as [E3|E3]; [rewrite E3; reflexivity|]. f_equal.
    rewrite walk_some. unfold next, with_card, after_player. cbn [player banker app].
    rewrite <- by_points_without by exact E3.
    destruct (banker_draws_on _ _ _).
    + apply banker_dealt; [|reflexivity]. intros b3 rest. rewrite walk_some. apply N.add_0_r.
    + rewrite sum_by_points. reflexivity.
  - destruct (among (banker_draws_when_player_stood play) _); [|reflexivity].
    apply banker_dealt; [|reflexivity]. intros b3 rest. rewrite walk_some. apply N.add_0_r.
Qed.

(* ------------------------------------------------------------------ the first four cards *)

(* How they match, and the points of each hand's two cards, the lower first. *)
Record four_cards : Set := Four {
  how : matches; player_low : N; player_high : N; banker_low : N; banker_high : N
}.

Definition four_of (p1 p2 b1 b2 : rank) : four_cards :=
  let p := points p1 in let q := points p2 in let b := points b1 in let c := points b2 in
  Four (matches_of p1 p2 b1 b2) (N.min p q) (N.max p q) (N.min b c) (N.max b c).

(* None: the shoe had not even four cards. *)
Definition openings (left : shoe) : weighted (option four_cards) :=
  let or_none := fun rest more => if size rest =? 0 then [(None, 1)] else draw rest more in
  or_none left (fun p1 s1 => or_none s1 (fun b1 s2 => or_none s2 (fun p2 s3 => or_none s3 (fun b2 _ =>
    [(Some (four_of p1 p2 b1 b2), 1)])))).

Definition go_on (play : table) (held : list N) (opened : option four_cards) : weighted (option course) :=
  match opened with
  | None => [(None, 1)]
  | Some four =>
      let p := last_digit (player_low four + player_high four) in
      let b := last_digit (banker_low four + banker_high four) in
      let left := minus (minus (minus (minus held (player_low four)) (player_high four)) (banker_low four))
                        (banker_high four) in
      map (fun more => (course_with (how four) p b (fst more), snd more)) (after_four play p b left)
  end.

Lemma low_high : forall p q, N.min p q + N.max p q = p + q.
Proof. intros. lia. Qed.

Lemma minus_low_high : forall held p q, minus (minus held (N.min p q)) (N.max p q) = minus (minus held p) q.
Proof.
  intros. destruct (N.le_ge_cases p q).
  - rewrite N.min_l, N.max_r by assumption. reflexivity.
  - rewrite N.min_r, N.max_l by assumption. apply minus_commutes.
Qed.

Lemma walk_by_openings : forall play f left,
  total (fun e => f (course_of e)) (walk play 6 left no_cards) =
  total (fun opened => total f (go_on play (by_points left) opened)) (openings left).
Proof.
  intros play f left. unfold openings. cbv zeta.
  rewrite walk_some. cbn [next no_cards player banker].
  destruct (N.eqb_spec (size left) 0) as [E0|E0]; [cbn; lia|].
  apply draw_ext. intros p1 H1. rewrite walk_some. cbn [next with_card no_cards player banker app].
  destruct (N.eqb_spec (size (without left p1)) 0) as [E1|E1]; [cbn; lia|].
  apply draw_ext. intros b1 H2. rewrite walk_some. cbn [next with_card no_cards player banker app].
  destruct (N.eqb_spec (size (without (without left p1) b1)) 0) as [E2|E2]; [cbn; lia|].
  apply draw_ext. intros p2 H3. rewrite walk_some. cbn [next with_card no_cards player banker app].
  destruct (N.eqb_spec (size (without (without (without left p1) b1) p2)) 0) as [E3|E3]; [cbn; lia|].
  apply draw_ext. intros b2 H4. cbn [with_card no_cards player banker app].
  rewrite walk_after_four, !by_points_without by assumption.
  cbn - [walk after_four minus last_digit N.min N.max].
  rewrite !low_high, !minus_low_high.
  rewrite (total_map _ _ f (course_with _ _ _)).
  rewrite (minus_commutes (minus (minus (by_points left) (points p1)) (points p2)) (points b1) (points b2)).
  rewrite (minus_commutes (minus (by_points left) (points p1)) (points p2) (points b2)).
  replace (minus (minus (minus (minus (by_points left) (points p1)) (points b1)) (points p2)) (points b2))
    with (minus (minus (minus (minus (by_points left) (points p1)) (points b2)) (points p2)) (points b1)).
  - unfold two_cards. lia.
  - rewrite (minus_commutes (minus (minus (by_points left) (points p1)) (points b2)) (points p2) (points b1)).
    rewrite (minus_commutes (minus (by_points left) (points p1)) (points b2) (points b1)).
    apply minus_commutes.
Qed.

(* ------------------------------------------------------------------ what is equal *)

Definition same_matches (one other : matches) : bool :=
  eqb (player_pair one) (player_pair other) && eqb (banker_pair one) (banker_pair other)
  && same_pairs (rank_pairs one) (rank_pairs other)
  && eqb (player_point_pair one) (player_point_pair other)
  && eqb (banker_point_pair one) (banker_point_pair other)
  && same_pairs (point_pairs one) (point_pairs other).

Definition same_card (one other : option N) : bool :=
  match one, other with
  | None, None => true
  | Some a, Some b => a =? b
  | _, _ => false
  end.

Definition same_option {A : Type} (same : A -> A -> bool) (one other : option A) : bool :=
  match one, other with
  | None, None => true
  | Some a, Some b => same a b
  | _, _ => false
  end.

Definition same_four (one other : four_cards) : bool :=
  (player_low one =? player_low other) && (player_high one =? player_high other)
  && (banker_low one =? banker_low other) && (banker_high one =? banker_high other)
  && same_matches (how one) (how other).

Definition same_course (one other : course) : bool :=
  (player_first one =? player_first other) && (banker_first one =? banker_first other)
  && same_card (player_third one) (player_third other) && same_card (banker_third one) (banker_third other)
  && eqb (is_void one) (is_void other) && same_matches (matching one) (matching other).

Definition same_outcome (one other : outcome) : bool :=
  (of_player one =? of_player other) && (of_banker one =? of_banker other)
  && (player_number one =? player_number other) && (banker_number one =? banker_number other)
  && same_matches (of_first_four one) (of_first_four other).

Definition same_issue (one other : issue) : bool :=
  match one, other with
  | Won_by a, Won_by b => same_hand a b
  | Tied a, Tied b => a =? b
  | Void_after, Void_after => true
  | _, _ => false
  end.

Definition same_passage (one other : passage) : bool :=
  (player_then one =? player_then other) && (banker_then one =? banker_then other)
  && same_issue (came_out one) (came_out other).

Ltac equal_parts :=
  repeat match goal with
    | H : (_ && _)%bool = true |- _ => apply andb_prop in H; destruct H
    | H : (_ =? _) = true |- _ => apply N.eqb_eq in H; subst
    | H : eqb _ _ = true |- _ => apply eqb_prop in H; subst
    end.

Lemma same_pairs_equal : forall one other, same_pairs one other = true -> one = other.
Proof. intros [] []; cbn; congruence. Qed.

Lemma same_matches_equal : forall one other, same_matches one other = true -> one = other.
Proof.
  intros [] []. unfold same_matches. cbn. intro H. equal_parts.
  repeat match goal with H : same_pairs _ _ = true |- _ => apply same_pairs_equal in H; subst end. reflexivity.
Qed.

Lemma same_card_equal : forall one other, same_card one other = true -> one = other.
Proof. intros [] []; cbn; intro H; try discriminate; equal_parts; reflexivity. Qed.

Lemma same_option_equal : forall A (same : A -> A -> bool), (forall one other, same one other = true -> one = other) ->
  forall one other, same_option same one other = true -> one = other.
Proof. intros A same H [] []; cbn; intro E; try discriminate; [f_equal; apply H; exact E|reflexivity]. Qed.

Lemma same_four_equal : forall one other, same_four one other = true -> one = other.
Proof. intros [] []. unfold same_four. cbn. intro H. equal_parts. f_equal. apply same_matches_equal. assumption. Qed.

Lemma same_course_equal : forall one other, same_course one other = true -> one = other.
Proof.
  intros [] []. unfold same_course. cbn. intro H. equal_parts.
  f_equal; (apply same_matches_equal || apply same_card_equal); assumption.
Qed.

Lemma same_outcome_equal : forall one other, same_outcome one other = true -> one = other.
Proof. intros [] []. unfold same_outcome. cbn. intro H. equal_parts. f_equal. apply same_matches_equal. assumption. Qed.

Lemma same_passage_equal : forall one other, same_passage one other = true -> one = other.
Proof.
  intros [p b [[]| |]] [q c [[]| |]]; unfold same_passage; cbn; intro H; equal_parts; try discriminate; reflexivity.
Qed.

(* ------------------------------------------------------------------ places to put them *)

Definition bit (so : bool) (value : N) : N := if so then value else 0.

Definition digits_of_matches (m : matches) : list N :=
  [bit (player_pair m) 1 + bit (banker_pair m) 2 + bit (player_point_pair m) 4 + bit (banker_point_pair m) 8;
   bit (same_pairs (rank_pairs m) TwinPair) 1 + bit (same_pairs (point_pairs m) TwinPair) 2].

Definition digit_of_card (card : option N) : N := match card with None => 10 | Some points => points end.

Definition place_or_first {A : Type} (digits_of : A -> list N) (thing : option A) : positive :=
  match thing with None => 1%positive | Some it => place_of (digits_of it) 1%positive end.

Definition digits_of_four (four : four_cards) : list N :=
  player_low four :: player_high four :: banker_low four :: banker_high four :: digits_of_matches (how four).

Definition digits_of_course (c : course) : list N :=
  player_first c :: banker_first c :: digit_of_card (player_third c) :: digit_of_card (banker_third c)
  :: digits_of_matches (matching c).

Definition digits_of_outcome (o : outcome) : list N :=
  of_player o :: of_banker o :: player_number o :: banker_number o :: digits_of_matches (of_first_four o).

Definition digits_of_passage (p : passage) : list N :=
  [player_then p; banker_then p;
   match came_out p with Tied points => points | Won_by Player => 10 | Won_by Banker => 11 | Void_after => 12 end].

(* ------------------------------------------------------------------ the tables of a shoe *)

Definition collected_openings (left : shoe) : weighted (option four_cards) :=
  collected _ (same_option same_four) (place_or_first digits_of_four) (openings left).

Definition courses (play : table) (left : shoe) : weighted (option course) :=
  let held := by_points left in
  collected _ (same_option same_course) (place_or_first digits_of_course)
    (flat_map (fun opened => times (snd opened) (go_on play held (fst opened))) (collected_openings left)).

Definition outcomes_among (went : weighted (option course)) : weighted (option outcome) :=
  collected _ (same_option same_outcome) (place_or_first digits_of_outcome)
    (map (fun one => (outcome_of (fst one), snd one)) went).

Definition passages_among (when : stage) (open : opening) (went : weighted (option course)) :
  weighted (option passage) :=
  collected _ (same_option same_passage) (place_or_first digits_of_passage)
    (map (fun one => (passage_at when open (fst one), snd one)) went).

Lemma total_opened : forall play f held (l : weighted (option four_cards)),
  total f (flat_map (fun opened => times (snd opened) (go_on play held (fst opened))) l) =
  total (fun opened => total f (go_on play held opened)) l.
Proof.
  induction l as [|[opened w] l IH]; cbn; [reflexivity|]. rewrite total_app, total_times, IH. cbn. lia.
Qed.

Theorem courses_count : forall play f left,
  total f (courses play left) = total (fun e => f (course_of e)) (rounds play left).
Proof.
  intros. unfold courses, collected_openings. cbv zeta.
  rewrite total_collected by (apply same_option_equal; apply same_course_equal).
  rewrite total_opened, total_collected by (apply same_option_equal; apply same_four_equal).
  rewrite <- walk_by_openings. apply walk_is_six_cards.
Qed.

Theorem outcomes_count : forall f went, total f (outcomes_among went) = total (fun c => f (outcome_of c)) went.
Proof.
  intros. unfold outcomes_among.
  rewrite total_collected by (apply same_option_equal; apply same_outcome_equal). apply total_map.
Qed.

Theorem passages_count : forall when open f went,
  total f (passages_among when open went) = total (fun c => f (passage_at when open c)) went.
Proof.
  intros. unfold passages_among.
  rewrite total_collected by (apply same_option_equal; apply same_passage_equal). apply total_map.
Qed.

(* All that is ever counted of a shoe: what bets are settled on, and what passes either moment of insurance. *)
Record tables_of_shoe : Type := Tables {
  of_outcomes : weighted (option outcome);
  of_four_cards : weighted (option passage);
  of_third_cards : weighted (option passage)
}.

Definition tables (play : table) (open : opening) (left : shoe) : tables_of_shoe :=
  let went := courses play left in
  Tables (outcomes_among went) (passages_among Four_cards open went) (passages_among Player_third_card open went).

Definition passages_in (counted : tables_of_shoe) (when : stage) : weighted (option passage) :=
  match when with Four_cards => of_four_cards counted | Player_third_card => of_third_cards counted end.

Theorem tables_count_outcomes : forall play open left f,
  total f (of_outcomes (tables play open left)) = total (fun e => f (outcome_of (course_of e))) (rounds play left).
Proof.
  intros. cbn. rewrite outcomes_count. apply (courses_count play (fun c => f (outcome_of c))).
Qed.

Theorem tables_count_passages : forall play open left when f,
  total f (passages_in (tables play open left) when) =
  total (fun e => f (passage_at when open (course_of e))) (rounds play left).
Proof.
  intros play open left [] f; cbn; rewrite passages_count;
    [apply (courses_count play (fun c => f (passage_at Four_cards open c)))
    |apply (courses_count play (fun c => f (passage_at Player_third_card open c)))].
Qed.
