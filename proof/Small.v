(* Two small shoes, by the Table of Play that the four documents print: nine cards, and five, which cannot
   always finish the round. coqchk checks these counts again without the virtual machine, in seconds. *)

From Coq Require Import NArith QArith List.
From Baccarat Require Import Cards Play Walk Grouped Counts.
Import ListNotations.
Open Scope N_scope.

Definition printed : table := Table
  (* natural *) [8; 9]
  (* player_draws *) [0; 1; 2; 3; 4; 5]
  (* banker_draws *) [([0; 1; 2], [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]); ([3], [0; 1; 2; 3; 4; 5; 6; 7; 9]);
                      ([4], [2; 3; 4; 5; 6; 7]); ([5], [4; 5; 6; 7]); ([6], [6; 7])]
  (* banker_draws_when_player_stood *) [0; 1; 2; 3; 4; 5].

Definition player_bet : bet := [Line [Winner PlayerWins] (1 # 1); Line [Winner Tie] (0 # 1)].
Definition banker_bet : bet := [Line [Winner BankerWins] (19 # 20); Line [Winner Tie] (0 # 1)].
Definition player_pair_bet : bet := [Line [Player_pair true] (11 # 1)].
Definition insured_nine : state := State Player Player_third_card 9 0 (8 # 1) [9].
Definition insured_nine_on_two : state := State Player Player_third_card 9 2 (8 # 1) [9].

(*                             A  2  3  4  5  6  7  8  9 10  J  Q  K *)
Definition nine : shoe := cards [2; 0; 1; 0; 0; 1; 0; 1; 2; 0; 0; 0; 2].
Definition five : shoe := cards [1; 1; 1; 0; 1; 0; 0; 0; 0; 0; 0; 0; 1].

(* ------------------------------------------------------------------ by the tables of the shoe *)

Definition tables_nine : tables_of_shoe := Eval vm_compute in tables printed Card_to_come nine.

Lemma tables_nine_hold : tables printed Card_to_come nine = tables_nine.
Proof. vm_cast_no_check (eq_refl tables_nine). Qed.

Theorem nine_space : sample_space nine = 60480.
Proof. reflexivity. Qed.
Theorem nine_void : void_ways printed nine = 0.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_player_wins : ways printed player_bet (ByLine 1) nine = 27196.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_banker_wins : ways printed player_bet Lost nine = 27692.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_ties : ways printed player_bet (ByLine 2) nine = 5592.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_player_pairs : ways printed player_pair_bet (ByLine 1) nine = 5040.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_banker_edge : (house_edge printed banker_bet nine == 1481 # 100800)%Q.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_insured : state_ways printed Card_to_come insured_nine Reached nine = 384.
Proof. counted_in tables_nine_hold. Qed.
Theorem nine_insured_edge : (state_edge printed Card_to_come insured_nine nine == -1 # 2)%Q.
Proof. counted_in tables_nine_hold. Qed.

(* ------------------------------------------------------------------ by the definitions themselves *)

Theorem five_space : sample_space five = 120.
Proof. vm_compute. reflexivity. Qed.
Theorem five_void : void_ways printed five = 32.
Proof. vm_compute. reflexivity. Qed.
Theorem five_player_wins : ways printed player_bet (ByLine 1) five = 52.
Proof. vm_compute. reflexivity. Qed.
Theorem five_banker_wins : ways printed player_bet Lost five = 36.
Proof. vm_compute. reflexivity. Qed.
Theorem five_banker_edge : (house_edge printed banker_bet five == 89 # 600)%Q.
Proof. apply Qeq_bool_iff. vm_compute. reflexivity. Qed.
Theorem five_insured : state_ways printed Card_to_come insured_nine_on_two Insurance_returned five = 4.
Proof. vm_compute. reflexivity. Qed.

Definition theorems : list proved := [
  Proved nine_space; Proved nine_void; Proved nine_player_wins; Proved nine_banker_wins; Proved nine_ties;
  Proved nine_player_pairs; Proved nine_banker_edge; Proved nine_insured; Proved nine_insured_edge;
  Proved five_space; Proved five_void; Proved five_player_wins; Proved five_banker_wins;
  Proved five_banker_edge; Proved five_insured
].
Eval lazy in (counted_theorems theorems).
Print Assumptions theorems.
