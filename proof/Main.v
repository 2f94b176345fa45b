(* The general theorems, and what each of them assumes: nothing. *)

From Coq Require Import NArith List.
From Baccarat Require Import Walk Grouped Counts.
Import ListNotations.

Definition theorems : list proved := [
  Proved walk_is_six_cards; Proved whole_space; Proved sample_space_is_falling; Proved lines_partition;
  Proved value_by_lines; Proved value_linear; Proved one_card_less;
  Proved courses_count; Proved tables_count_outcomes; Proved tables_count_passages;
  Proved ways_are; Proved edge_is; Proved state_ways_are; Proved state_edge_is
].
Eval lazy in (counted_theorems theorems).

(* Walk.v *)
Print Assumptions walk_is_six_cards.
Print Assumptions whole_space.
Print Assumptions sample_space_is_falling.
Print Assumptions lines_partition.
Print Assumptions value_by_lines.
Print Assumptions value_linear.
Print Assumptions one_card_less.

(* Grouped.v *)
Print Assumptions courses_count.
Print Assumptions tables_count_outcomes.
Print Assumptions tables_count_passages.

(* Counts.v *)
Print Assumptions ways_are.
Print Assumptions edge_is.
Print Assumptions state_ways_are.
Print Assumptions state_edge_is.
