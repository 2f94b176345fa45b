(* The recursion over rounds, and what is true of it for every shoe, every Table of Play and every figure.

   walk_is_six_cards   walking a round card by card, weighted by the ways of the cards not dealt,
                       counts what dealing six cards always counts;
   whole_space         all rounds together are the sample space, size * (size - 1) * ... ;
   lines_partition     the ways of all settlements of a bet add up to it;
   value_by_lines      a bet's expected value is the sum of its nets times their probabilities,
   value_linear        and so it is linear in its odds;
   one_card_less       a count over a shoe is the weighted sum over the shoes with one card less. *)

From Coq Require Import NArith QArith List FinFun Bool Lia.
From Baccarat Require Import Cards Play.
Import ListNotations.
Open Scope N_scope.

(* The walk. At each step the Table of Play says who draws; a round that is over is weighted by the ways of
   the cards that would still have been dealt. *)
Fixpoint walk (play : table) (number : nat) (left : shoe) (dealt : round) : weighted ended :=
  match next play dealt with
  | None => [(Over dealt, ways_to_deal number (size left))]
  | Some to =>
      if size left =? 0 then [(Void dealt, 1)]
      else match number with
           | O => []
           | S fewer => draw left (fun card rest => walk play fewer rest (with_card dealt to card))
           end
  end.

(* ------------------------------------------------------------------ sums *)

Lemma over_ranks_ext : forall f g, (forall card, f card = g card) -> over_ranks f = over_ranks g.
Proof. intros f g H. unfold over_ranks. cbn. rewrite !H. reflexivity. Qed.

Lemma over_ranks_mult : forall c f, over_ranks (fun card => c * f card) = c * over_ranks f.
Proof. intros. unfold over_ranks. cbn. ring. Qed.

Lemma over_ranks_plus : forall f g, over_ranks (fun card => f card + g card) = over_ranks f + over_ranks g.
Proof. intros. unfold over_ranks. cbn. ring. Qed.

Lemma over_ranks_swap : forall F : rank -> rank -> N,
  over_ranks (fun one => over_ranks (fun other => F one other)) =
  over_ranks (fun other => over_ranks (fun one => F one other)).
Proof. intros. unfold over_ranks. cbn. ring. Qed.

Lemma total_app : forall A (f : A -> N) l m, total f (l ++ m) = total f l + total f m.
Proof. induction l as [|[x w] l IH]; intros; cbn; [reflexivity|]. rewrite IH. lia. Qed.

Lemma total_ext : forall A (f g : A -> N) l, (forall x, f x = g x) -> total f l = total g l.
Proof. intros A f g l H. induction l as [|[x w] l IH]; cbn; [reflexivity|]. rewrite H, IH. reflexivity. Qed.

Lemma total_mult : forall A c (f : A -> N) l, total (fun x => c * f x) l = c * total f l.
Proof. induction l as [|[x w] l IH]; cbn; [lia|]. rewrite IH. ring. Qed.

Lemma total_plus : forall A (f g : A -> N) l, total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l as [|[x w] l IH]; cbn; [lia|]. rewrite IH. ring. Qed.

Lemma total_map : forall A B (f : B -> N) (h : A -> B) (l : weighted A),
  total f (map (fun thing => (h (fst thing), snd thing)) l) = total (fun x => f (h x)) l.
Proof. induction l as [|[x w] l IH]; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma total_times : forall A (f : A -> N) n l, total f (times n l) = n * total f l.
Proof.
  intros. unfold times. induction l as [|[x w] l IH]; cbn; [lia|]. rewrite IH. ring.
Qed.

Lemma total_drawn : forall A (f : A -> N) n l, total f (if n =? 0 then [] else times n l) = n * total f l.
Proof. intros. destruct (N.eqb_spec n 0) as [->|_]; [reflexivity|apply total_times]. Qed.

Lemma total_flat_map : forall A B (f : B -> N) (h : A -> weighted B) (l : list A),
  total f (flat_map h l) = fold_right (fun x sum => total f (h x) + sum) 0 l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite total_app, IH. reflexivity. Qed.

Lemma total_draw : forall A (f : A -> N) left k,
  total f (draw left k) = over_ranks (fun card => left card * total f (k card (without left card))).
Proof.
  intros. unfold draw, over_ranks. rewrite total_flat_map. cbn - [N.eqb]. rewrite !total_drawn. reflexivity.
Qed.

#[global] Arguments draw : simpl never.
#[global] Arguments size : simpl never.

(* ------------------------------------------------------------------ a card less *)

Lemma same_rank_spec : forall one other, same_rank one other = true <-> one = other.
Proof. intros one other; split; [|intros ->; destruct other; reflexivity].
  destruct one, other; intro H; try reflexivity; discriminate H. Qed.

Lemma size_without : forall left card, left card <> 0 -> size (without left card) = N.pred (size left).
Proof. intros left card H. unfold size, over_ranks, without. destruct card; cbn; lia. Qed.

Lemma draw_ext : forall A B (f : A -> N) (g : B -> N) left k h,
  (forall card, left card <> 0 ->
     total f (k card (without left card)) = total g (h card (without left card))) ->
  total f (draw left k) = total g (draw left h).
Proof.
  intros A B f g left k h H. rewrite !total_draw. apply over_ranks_ext. intro card.
  destruct (N.eq_dec (left card) 0) as [E|E]; [rewrite E; reflexivity|]. rewrite H by exact E. reflexivity.
Qed.

Lemma draw_const : forall A (f : A -> N) left k c,
  (forall card, left card <> 0 -> total f (k card (without left card)) = c) ->
  total f (draw left k) = size left * c.
Proof.
  intros A f left k c H. rewrite total_draw. unfold size. rewrite N.mul_comm, <- over_ranks_mult.
  apply over_ranks_ext. intro card.
  destruct (N.eq_dec (left card) 0) as [E|E]; [rewrite E; lia|]. rewrite H by exact E. lia.
Qed.

Lemma deal_some : forall number left, deal (S number) left =
  if size left =? 0 then [([], 1)]
  else draw left (fun card rest => map (fun more => (card :: fst more, snd more)) (deal number rest)).
Proof. reflexivity. Qed.

Lemma total_deal : forall f number left, size left <> 0 ->
  total f (deal (S number) left) =
  over_ranks (fun card => left card * total (fun more => f (card :: more)) (deal number (without left card))).
Proof.
  intros f number left H. rewrite deal_some. destruct (N.eqb_spec (size left) 0); [contradiction|].
  rewrite total_draw. apply over_ranks_ext. intro card. f_equal.
  exact (total_map _ _ f (cons card) _).
Qed.

(* ------------------------------------------------------------------ the sample space *)

Lemma deal_const : forall c number left,
  total (fun _ => c) (deal number left) = c * ways_to_deal number (size left).
Proof.
  induction number as [|number IH]; intro left; [cbn; lia|].
  rewrite deal_some. cbn - [size draw]. destruct (N.eqb_spec (size left) 0) as [E|E]; [cbn; lia|].
  rewrite draw_const with (c := c * ways_to_deal number (N.pred (size left))); [ring|].
  intros card H. rewrite (total_map _ _ (fun _ => c) (cons card)), IH, size_without by exact H. reflexivity.
Qed.

Theorem whole_space : forall play left, total (fun _ => 1) (rounds play left) = sample_space left.
Proof.
  intros. unfold rounds, sample_space.
  rewrite (total_map _ _ (fun _ => 1) (played play no_cards)), deal_const. lia.
Qed.

Theorem sample_space_is_falling : forall left, 6 <= size left ->
  let n := size left in sample_space left = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5).
Proof.
  intros left H n. unfold sample_space. fold n. subst n. set (n := size left) in *. clearbody n.
  cbn. repeat match goal with |- context [?x =? 0] => destruct (N.eqb_spec x 0); [lia|] end.
  replace (N.pred n) with (n - 1) by lia. replace (N.pred (n - 1)) with (n - 2) by lia.
  replace (N.pred (n - 2)) with (n - 3) by lia. replace (N.pred (n - 3)) with (n - 4) by lia.
  replace (N.pred (n - 4)) with (n - 5) by lia. lia.
Qed.

(* ------------------------------------------------------------------ the walk is dealing six cards *)

Definition cards_dealt (dealt : round) : nat := length (player dealt) + length (banker dealt).

Lemma at_most_six : forall play dealt to, next play dealt = Some to -> (cards_dealt dealt < 6)%nat.
Proof.
  intros play [p b] to H. unfold next, cards_dealt in *. cbn in *.
  destruct p as [|? [|? [|? [|? ?]]]], b as [|? [|? [|? ?]]]; cbn in *; try discriminate H; lia.
Qed.

Lemma one_more : forall dealt to card, cards_dealt (with_card dealt to card) = S (cards_dealt dealt).
Proof. intros [p b] [] card; unfold cards_dealt; cbn; rewrite app_length; cbn; lia. Qed.

Lemma walk_from : forall play f number left dealt,
  (6 <= cards_dealt dealt + number)%nat ->
  total f (walk play number left dealt) =
  total (fun coming => f (played play dealt coming)) (deal number left).
Proof.
  induction number as [|number IH]; intros left dealt Hn.
  - destruct (next play dealt) as [to|] eqn:E.
    + apply at_most_six in E. lia.
    + cbn. rewrite E. cbn. reflexivity.
  - destruct (next play dealt) as [to|] eqn:E.
    + cbn - [size]. rewrite E. destruct (N.eqb_spec (size left) 0) as [Z|Z]; [cbn; rewrite E; reflexivity|].
      apply draw_ext. intros card Hc.
      rewrite IH by (rewrite one_more; lia).
      rewrite (total_map _ _ (fun coming => f (played play dealt coming)) (cons card)).
      apply total_ext. intro more. cbn. rewrite E. reflexivity.
    + transitivity (total (fun _ => f (Over dealt)) (deal (S number) left)).
      * rewrite deal_const. cbn - [ways_to_deal]. rewrite E. cbn - [ways_to_deal]. lia.
      * apply total_ext. intros [|card coming]; cbn; rewrite E; reflexivity.
Qed.

Theorem walk_is_six_cards : forall play f left,
  total f (walk play 6 left no_cards) = total f (rounds play left).
Proof.
  intros. unfold rounds. rewrite (total_map _ _ f (played play no_cards)). apply walk_from. cbn. lia.
Qed.

(* ------------------------------------------------------------------ a bet's settlements, and its value *)

Definition settlements (lines : bet) : list settled :=
  map ByLine (seq 1 (length lines)) ++ [Lost; Returned].

Fixpoint sum_over {A : Type} (f : A -> N) (l : list A) : N :=
  match l with [] => 0 | x :: rest => f x + sum_over f rest end.

Lemma same_settled_spec : forall one other, same_settled one other = true <-> one = other.
Proof.
  intros one other; split.
  - destruct one, other; cbn; intro H; try discriminate H; try reflexivity.
    apply PeanoNat.Nat.eqb_eq in H. congruence.
  - intros ->. destruct other; cbn; try reflexivity. apply PeanoNat.Nat.eqb_refl.
Qed.

Lemma settled_from_range : forall lines o number,
  settled_from number lines o = Lost \/
  exists k, settled_from number lines o = ByLine k /\ (number <= k < number + length lines)%nat.
Proof.
  induction lines as [|one lines IH]; intros o number; cbn; [left; reflexivity|].
  destruct (forallb _ _).
  - right. exists number. split; [reflexivity|lia].
  - destruct (IH o (S number)) as [H|[k [H R]]]; [left; exact H|right]. exists k. split; [exact H|lia].
Qed.

Lemma settlement_among : forall lines o, In (settlement lines o) (settlements lines).
Proof.
  intros lines [o|]; unfold settlements; apply in_or_app; [|right; right; left; reflexivity].
  cbn - [seq]. destruct (settled_from_range lines o 1) as [->|[k [-> R]]]; [right; left; reflexivity|].
  left. apply in_map. apply in_seq. lia.
Qed.

Lemma settlements_once : forall lines, NoDup (settlements lines).
Proof.
  intro lines. unfold settlements.
  assert (D : NoDup (map ByLine (seq 1 (length lines)))).
  { apply Injective_map_NoDup; [|apply seq_NoDup]. intros m n H. congruence. }
  assert (L : forall so, In so (map ByLine (seq 1 (length lines))) -> exists k, so = ByLine k).
  { intros so H. apply in_map_iff in H. destruct H as [k [<- _]]. exists k. reflexivity. }
  induction (map ByLine (seq 1 (length lines))) as [|x l IH]; cbn.
  - repeat constructor; cbn; intuition discriminate.
  - inversion D as [|? ? Hx Hl]; subst. constructor.
    + intro H. apply in_app_or in H. destruct H as [H|H]; [contradiction|].
      destruct (L x (or_introl eq_refl)) as [k ->]. cbn in H. intuition discriminate.
    + apply IH; [exact Hl|]. intros so H. apply L. right. exact H.
Qed.

Lemma none_counted : forall x l, ~ In x l -> sum_over (fun so => indicator (same_settled x so)) l = 0.
Proof.
  induction l as [|y l IH]; cbn; intro H; [reflexivity|].
  rewrite IH by tauto. destruct (same_settled x y) eqn:E; [|reflexivity].
  apply same_settled_spec in E. subst. tauto.
Qed.

Lemma counted_once : forall x l, NoDup l -> In x l -> sum_over (fun so => indicator (same_settled x so)) l = 1.
Proof.
  induction l as [|y l IH]; cbn; intros D H; [contradiction|].
  inversion D as [|? ? Hy Hl]; subst.
  destruct (same_settled x y) eqn:E.
  - apply same_settled_spec in E. subst. rewrite none_counted by exact Hy. reflexivity.
  - rewrite IH; [reflexivity|exact Hl|]. destruct H as [<-|H]; [|exact H].
    assert (same_settled y y = true) by (apply same_settled_spec; reflexivity). congruence.
Qed.

Lemma total_sum_over : forall A B (F : B -> A -> N) (l : list B) (things : weighted A),
  sum_over (fun b => total (F b) things) l = total (fun x => sum_over (fun b => F b x) l) things.
Proof.
  induction l as [|b l IH]; intro things; cbn.
  - induction things as [|[x w] things H]; cbn; [reflexivity|]. rewrite <- H. reflexivity.
  - rewrite IH, <- total_plus. reflexivity.
Qed.

Theorem lines_partition : forall play lines left,
  sum_over (fun so => ways play lines so left) (settlements lines) = sample_space left.
Proof.
  intros. unfold ways.
  rewrite (total_sum_over _ _ (fun so e =>
    indicator (same_settled (settlement lines (outcome_of (course_of e))) so))).
  rewrite <- (whole_space play). apply total_ext. intro e.
  apply counted_once; [apply settlements_once|apply settlement_among].
Qed.

Close Scope N_scope.
Open Scope Q_scope.

Definition in_Q (number : N) : Q := inject_Z (Z.of_N number).

Fixpoint Q_sum {A : Type} (f : A -> Q) (l : list A) : Q :=
  match l with [] => 0 | x :: rest => f x + Q_sum f rest end.

Lemma in_Q_plus : forall m n, in_Q (m + n) == in_Q m + in_Q n.
Proof. intros. unfold in_Q. rewrite N2Z.inj_add, inject_Z_plus. reflexivity. Qed.

Lemma mean_total_by : forall A (value : settled -> Q) (become : A -> settled) lines (things : weighted A),
  (forall x, In (become x) (settlements lines)) ->
  mean_total (fun x => value (become x)) things ==
  Q_sum (fun so => value so * in_Q (total (fun x => indicator (same_settled (become x) so)) things))
        (settlements lines).
Proof.
  intros A value become lines things H.
  assert (Hnone : forall x w l, ~ In x l ->
    Q_sum (fun so => value so * in_Q (indicator (same_settled x so) * w)) l == 0).
  { induction l as [|y l IH]; cbn; intro Hn; [reflexivity|].
    rewrite IH by tauto. destruct (same_settled x y) eqn:E.
    - apply same_settled_spec in E. subst. tauto.
    - cbn. unfold in_Q. cbn. ring. }
  assert (Hone : forall x w l, NoDup l -> In x l ->
    Q_sum (fun so => value so * in_Q (indicator (same_settled x so) * w)) l == value x * in_Q w).
  { induction l as [|y l IH]; intros D Hi; [destruct Hi|]. inversion D as [|? ? Hy Hl]; subst.
    cbn - [N.mul]. destruct (same_settled x y) eqn:E.
    - apply same_settled_spec in E. subst. rewrite Hnone by exact Hy. cbn - [N.mul].
      rewrite N.mul_1_l. ring.
    - rewrite IH; [|exact Hl|].
      + cbn. unfold in_Q at 1. cbn. ring.
      + destruct Hi as [<-|Hi]; [|exact Hi].
        assert (same_settled y y = true) by (apply same_settled_spec; reflexivity). congruence. }
  induction things as [|[x w] things IH]; cbn - [N.mul settlements].
  - clear. induction (settlements lines) as [|y l IH]; cbn; [reflexivity|]. rewrite <- IH. unfold in_Q. cbn. ring.
  - rewrite IH. fold (in_Q w). rewrite <- (Hone (become x) w (settlements lines)) by
      (apply settlements_once || apply H).
    clear. induction (settlements lines) as [|y l IH]; cbn - [N.mul]; [ring|].
    rewrite <- IH, in_Q_plus. ring.
Qed.

Theorem value_by_lines : forall play lines left,
  expected_value play lines left ==
  Q_sum (fun so => net lines so * in_Q (ways play lines so left)) (settlements lines)
  / in_Q (sample_space left).
Proof.
  intros. unfold expected_value. fold (in_Q (sample_space left)).
  rewrite (mean_total_by _ (net lines) (fun e => settlement lines (outcome_of (course_of e))) lines);
    [reflexivity|]. intro e. apply settlement_among.
Qed.

(* A pay table with the same facts and other odds. *)
Definition at_odds (pays : list Q) (said : list (list fact)) : bet :=
  map (fun both => Line (snd both) (fst both)) (combine pays said).

Lemma settled_at_odds : forall said pays other o number, length pays = length said -> length other = length said ->
  settled_from number (at_odds pays said) o = settled_from number (at_odds other said) o.
Proof.
  induction said as [|one said IH]; intros [|a pays] [|b other] o number Hp Ho; try discriminate; [reflexivity|].
  unfold at_odds in *. cbn. destruct (forallb _ _); [reflexivity|]. apply IH; cbn in *; lia.
Qed.

Lemma net_at_odds : forall said pays number, length pays = length said ->
  odds (nth number (at_odds pays said) (Line [] 0)) == nth number pays 0.
Proof.
  induction said as [|one said IH]; intros [|a pays] [|number] H; try discriminate; cbn; try reflexivity.
  apply IH. cbn in H. lia.
Qed.

Definition mixed (a b : Q) (pays other : list Q) : list Q :=
  map (fun both => a * fst both + b * snd both) (combine pays other).

Lemma nth_mixed : forall a b pays other number, length pays = length other ->
  nth number (mixed a b pays other) 0 == a * nth number pays 0 + b * nth number other 0.
Proof.
  induction pays as [|x pays IH]; intros [|y other] [|number] H; try discriminate; cbn; try ring.
  apply IH. cbn in H. lia.
Qed.

Lemma mean_total_ext : forall A (f g : A -> Q) l, (forall x, f x == g x) -> mean_total f l == mean_total g l.
Proof. intros A f g l H. induction l as [|[x w] l IH]; cbn; [reflexivity|]. rewrite H, IH. reflexivity. Qed.

Lemma mean_total_linear : forall A a b (f g : A -> Q) l,
  mean_total (fun x => a * f x + b * g x) l == a * mean_total f l + b * mean_total g l.
Proof. induction l as [|[x w] l IH]; cbn; [ring|]. rewrite IH. ring. Qed.

(* Between two pay tables the expected value goes in a straight line: a and b are shares of one unit. *)
Theorem value_linear : forall play said pays other a b left,
  length pays = length said -> length other = length said -> a + b == 1 ->
  expected_value play (at_odds (mixed a b pays other) said) left ==
  a * expected_value play (at_odds pays said) left + b * expected_value play (at_odds other said) left.
Proof.
  intros play said pays other a b left Hp Ho Hab. unfold expected_value.
  assert (Hm : length (mixed a b pays other) = length said).
  { unfold mixed. rewrite map_length, combine_length. lia. }
  rewrite (mean_total_ext _ _ (fun e =>
      a * net (at_odds pays said) (settlement (at_odds pays said) (outcome_of (course_of e)))
    + b * net (at_odds other said) (settlement (at_odds other said) (outcome_of (course_of e))))).
  - rewrite mean_total_linear. unfold Qdiv. ring.
  - intro e. destruct (outcome_of (course_of e)) as [o|]; cbn - [settled_from]; [|ring].
    rewrite (settled_at_odds said (mixed a b pays other) pays) by assumption.
    rewrite (settled_at_odds said other pays) by assumption.
    destruct (settled_from 1 (at_odds pays said) o); cbn - [nth].
    + rewrite !net_at_odds, nth_mixed by lia. reflexivity.
    + transitivity (- (a + b)); [rewrite Hab; reflexivity|ring].
    + ring.
Qed.

Close Scope Q_scope.
Open Scope N_scope.

(* ------------------------------------------------------------------ one card less *)

Definition same_shoe (one other : shoe) : Prop := forall card, one card = other card.

Lemma size_same : forall one other, same_shoe one other -> size one = size other.
Proof. intros one other H. apply over_ranks_ext. exact H. Qed.

Lemma without_same : forall one other card, same_shoe one other -> same_shoe (without one card) (without other card).
Proof. intros one other card H any. unfold without. rewrite H. reflexivity. Qed.

Lemma deal_same : forall f number one other, same_shoe one other ->
  total f (deal number one) = total f (deal number other).
Proof.
  intros f number; revert f. induction number as [|number IH]; intros f one other H; [reflexivity|].
  destruct (N.eq_dec (size one) 0) as [E|E].
  - cbn. rewrite <- (size_same _ _ H), E. reflexivity.
  - rewrite !total_deal; [|rewrite <- (size_same _ _ H); exact E|exact E].
    apply over_ranks_ext. intro card. rewrite H. f_equal. apply IH. apply without_same. exact H.
Qed.

Lemma without_commutes : forall left one other,
  same_shoe (without (without left one) other) (without (without left other) one).
Proof.
  intros left one other card. unfold without.
  destruct (same_rank card one), (same_rank card other); reflexivity.
Qed.

Lemma two_draws : forall left one other,
  left one * without left one other = left other * without left other one.
Proof.
  intros left one other. unfold without. destruct one, other; cbn; lia.
Qed.

(* A card drawn first and never looked at is as good as one that stays in the shoe. *)
Lemma card_aside : forall f number left, N.of_nat number < size left ->
  over_ranks (fun card => left card * total f (deal number (without left card))) =
  (size left - N.of_nat number) * total f (deal number left).
Proof.
  intros f number; revert f. induction number as [|number IH]; intros f left H.
  - change (total f (deal 0 left)) with (f [] * 1 + 0). rewrite N.sub_0_r, N.mul_comm. unfold size.
    rewrite <- over_ranks_mult. apply over_ranks_ext. intro card. cbn. lia.
  - rewrite (total_deal f) by lia.
    rewrite (over_ranks_ext _ (fun one => over_ranks (fun other =>
      left one * without left one other *
      total (fun more => f (other :: more)) (deal number (without (without left one) other))))).
    + rewrite over_ranks_swap, <- over_ranks_mult. apply over_ranks_ext. intro other.
      rewrite (over_ranks_ext _ (fun one => left other * (without left other one *
        total (fun more => f (other :: more)) (deal number (without (without left other) one))))).
      * rewrite over_ranks_mult.
        destruct (N.eq_dec (left other) 0) as [E|E]; [rewrite E; lia|].
        rewrite IH by (rewrite size_without by exact E; lia).
        rewrite size_without by exact E.
        replace (N.pred (size left) - N.of_nat number) with (size left - N.of_nat (S number)) by lia. ring.
      * intro one. rewrite two_draws, <- N.mul_assoc. f_equal. f_equal. apply deal_same. apply without_commutes.
    + intro one. destruct (N.eq_dec (left one) 0) as [E|E].
      * rewrite E. unfold over_ranks. cbn. reflexivity.
      * rewrite total_deal by (rewrite size_without by exact E; lia).
        rewrite <- over_ranks_mult. apply over_ranks_ext. intro other. ring.
Qed.

(* The martingale: what is true of one shoe is, on average over the next card, true of the next. *)
Theorem one_card_less : forall play f left, 6 < size left ->
  over_ranks (fun card => left card * total f (rounds play (without left card))) =
  (size left - 6) * total f (rounds play left).
Proof.
  intros play f left H. unfold rounds.
  rewrite (total_map _ _ f (played play no_cards)), <- (card_aside _ 6) by (cbn; lia).
  apply over_ranks_ext. intro card. rewrite (total_map _ _ f (played play no_cards)). reflexivity.
Qed.
