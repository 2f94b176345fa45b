(* The cards, the shoe, and all the ways in which it can deal six cards.

   Nothing here is particular to one game. The clauses are those of the approved documents:
   2013 is Commission Baccarat with Insurance, 2024 the two Tiger Buffalo games with Insurance Plus,
   2025 Tiger Buffalo (Non-Commission Baccarat), Version 4. *)

From Coq Require Import NArith List Bool.
Import ListNotations.
Open Scope N_scope.

(* ------------------------------------------------------------------ ranks and points *)

Inductive rank : Set :=
  | Ace | Two | Three | Four | Five | Six | Seven | Eight | Nine | Ten | Jack | Queen | King.

Definition ranks : list rank :=
  [Ace; Two; Three; Four; Five; Six; Seven; Eight; Nine; Ten; Jack; Queen; King].

(* What a card adds to the last digit of a hand: an Ace 1, a 2 to 9 its face value, a picture card nothing,
   and a 10 nothing either, since only the last digit counts (3.2 in 2024 and 2025, 3.8 in 2013). *)
Definition points (card : rank) : N :=
  match card with
  | Ace => 1 | Two => 2 | Three => 3 | Four => 4 | Five => 5
  | Six => 6 | Seven => 7 | Eight => 8 | Nine => 9
  | Ten | Jack | Queen | King => 0
  end.

(* The Point Total of a hand is the last digit of its sum (1.20, 1.19 in 2024, 1.23 in 2025, 3.8 in 2013). *)
Definition last_digit (sum : N) : N := sum mod 10.

Definition place (card : rank) : N :=
  match card with
  | Ace => 1 | Two => 2 | Three => 3 | Four => 4 | Five => 5 | Six => 6 | Seven => 7
  | Eight => 8 | Nine => 9 | Ten => 10 | Jack => 11 | Queen => 12 | King => 13
  end.

Definition same_rank (one other : rank) : bool := place one =? place other.

(* ------------------------------------------------------------------ the shoe *)

(* The cards left to deal: how many there are of each rank. Suits never matter. *)
Definition shoe : Set := rank -> N.

(* A fresh shoe: four cards of each rank in every deck. *)
Definition decks (number : N) : shoe := fun _ => 4 * number.

(* A shoe of any cards, A to K. *)
Definition cards (counts : list N) : shoe := fun card => nth (N.to_nat (N.pred (place card))) counts 0.

Definition over_ranks (what : rank -> N) : N := fold_right (fun card sum => what card + sum) 0 ranks.

Definition size (left : shoe) : N := over_ranks left.

Definition without (left : shoe) (card : rank) : shoe :=
  fun other => if same_rank other card then N.pred (left other) else left other.

(* ------------------------------------------------------------------ things with their ways *)

(* Things that can happen, each with the number of ways in which it does. *)
Definition weighted (A : Type) : Type := list (A * N).

(* The sum of a figure over all of them. With 1 for every thing it is the number of all ways;
   with 1 for some and 0 for the others it is the number of ways of those. *)
Fixpoint total {A : Type} (figure : A -> N) (things : weighted A) : N :=
  match things with
  | [] => 0
  | (thing, ways) :: rest => figure thing * ways + total figure rest
  end.

Definition indicator (so : bool) : N := if so then 1 else 0.

(* Things that happen after something with so many ways of its own. *)
Definition times {A : Type} (ways : N) (things : weighted A) : weighted A :=
  map (fun thing => (fst thing, ways * snd thing)) things.

(* One card is drawn: each rank comes in as many ways as there are cards of it. *)
Definition draw {A : Type} (left : shoe) (and_then : rank -> shoe -> weighted A) : weighted A :=
  flat_map (fun card => if left card =? 0 then [] else times (left card) (and_then card (without left card)))
           ranks.

(* All the sequences of so many cards, in order, each with its ways; of all the cards, if there are fewer. *)
Fixpoint deal (number : nat) (left : shoe) : weighted (list rank) :=
  match number with
  | O => [([], 1)]
  | S fewer =>
      if size left =? 0 then [([], 1)]
      else draw left (fun card rest => map (fun more => (card :: fst more, snd more)) (deal fewer rest))
  end.

(* How many ways there are to deal so many cards of a shoe of this size: size * (size - 1) * ... *)
Fixpoint ways_to_deal (number : nat) (cards_left : N) : N :=
  match number with
  | O => 1
  | S fewer => if cards_left =? 0 then 1 else cards_left * ways_to_deal fewer (N.pred cards_left)
  end.

Definition sample_space (left : shoe) : N := ways_to_deal 6 (size left).
