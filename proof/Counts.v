(* How a count of a game becomes a theorem: the tables of a shoe are computed once, and every count of that
   shoe is read off them. Each lemma says: if the tables are these, and the figure taken from them is this
   number, then the number is what the definitions of Play.v say. *)

From Coq Require Import NArith QArith List Bool Lia.
From Baccarat Require Import Cards Play Walk Grouped.
Import ListNotations.
Open Scope N_scope.

Definition ways_in (counted : tables_of_shoe) (lines : bet) (so : settled) : N :=
  total (fun o => indicator (same_settled (settlement lines o) so)) (of_outcomes counted).

Definition value_in (counted : tables_of_shoe) (lines : bet) (space : N) : Q :=
  (Q_sum (fun so => net lines so * in_Q (ways_in counted lines so)) (settlements lines) / in_Q space)%Q.

Definition state_ways_in (counted : tables_of_shoe) (offered : state) (what : count) : N :=
  total (fun p => indicator (counts_in what (is_at offered p))) (passages_in counted (at_stage offered)).

Definition state_edge_in (counted : tables_of_shoe) (offered : state) : Q :=
  edge_from (state_odds offered) (state_ways_in counted offered Reached)
            (state_ways_in counted offered Insurance_wins) (state_ways_in counted offered Insurance_loses).

(* A bet without lines comes back exactly when the round is void. *)
Definition void_ways (play : table) (left : shoe) : N := ways play [] Returned left.

Section Of_one_shoe.
  Variables (play : table) (open : opening) (left : shoe) (counted : tables_of_shoe).
  Hypothesis these : tables play open left = counted.

  Theorem ways_are : forall lines so number, ways_in counted lines so = number -> ways play lines so left = number.
  Proof.
    intros lines so number <-. unfold ways, ways_in. rewrite <- these.
    symmetry. exact (tables_count_outcomes play open left (fun o => indicator (same_settled (settlement lines o) so))).
  Qed.

  Theorem edge_is : forall lines edge, Qeq_bool (- value_in counted lines (sample_space left)) edge = true ->
    (house_edge play lines left == edge)%Q.
  Proof.
    intros lines edge H. apply Qeq_bool_iff in H. rewrite <- H. unfold house_edge. rewrite value_by_lines.
    unfold value_in. apply Qopp_comp. unfold Qdiv. apply Qmult_comp; [|reflexivity].
    induction (settlements lines) as [|so l IH]; cbn [Q_sum]; [reflexivity|].
    rewrite IH, (ways_are lines so _ eq_refl). reflexivity.
  Qed.

  Theorem state_ways_are : forall offered what number,
    state_ways_in counted offered what = number -> state_ways play open offered what left = number.
  Proof.
    intros offered what number <-. unfold state_ways, state_ways_in. rewrite <- these. symmetry.
    exact (tables_count_passages play open left (at_stage offered) (fun p => indicator (counts_in what (is_at offered p)))).
  Qed.

  Theorem state_edge_is : forall offered edge, Qeq_bool (state_edge_in counted offered) edge = true ->
    (state_edge play open offered left == edge)%Q.
  Proof.
    intros offered edge H. apply Qeq_bool_iff in H. rewrite <- H. unfold state_edge, state_edge_in.
    rewrite !(state_ways_are _ _ _ eq_refl). reflexivity.
  Qed.
End Of_one_shoe.

(* The proof of a count: by the tables of its shoe, then by computation. *)
Ltac counted_in these :=
  match goal with
  | |- void_ways _ _ = _ => refine (ways_are _ _ _ _ these _ _ _ _)
  | |- ways _ _ _ _ = _ => refine (ways_are _ _ _ _ these _ _ _ _)
  | |- state_ways _ _ _ _ _ = _ => refine (state_ways_are _ _ _ _ these _ _ _ _)
  | |- (house_edge _ _ _ == _)%Q => refine (edge_is _ _ _ _ these _ _ _)
  | |- (state_edge _ _ _ _ == _)%Q => refine (state_edge_is _ _ _ _ these _ _ _)
  end; vm_compute; reflexivity.

(* What was proved, whatever it says; a list of these can be counted, and asked what it assumes. *)
Inductive proved : Type := Proved (statement : Prop) (its_proof : statement).
Arguments Proved {statement}.
Definition counted_theorems (theorems : list proved) : N := N.of_nat (length theorems).
