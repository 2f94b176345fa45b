(* Small Baccarat: every count a theorem.

   Game small-baccarat; the rule book has the SHA-256
   90ee56d73cc432728ee6313527d60819bd5598d605c1705b501883187b2144be.
   Written by combinat prove; what the words mean is defined in Cards.v, Play.v and, for void_ways, Counts.v. *)

From Coq Require Import NArith QArith List.
From Baccarat Require Import Cards Play Grouped Counts.
Import ListNotations.
Open Scope N_scope.

(* The Table of Play: 3.5; when the Player Hand stood: 3.4. *)
Definition table_of_play : table := Table
  (* natural *) [8; 9]
  (* player_draws *) [0; 1; 2; 3; 4; 5]
  (* banker_draws *) [([0; 1; 2], [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]); ([3], [0; 1; 2; 3; 4; 5; 6; 7; 9]); ([4], [2; 3; 4; 5; 6; 7]); ([5], [4; 5; 6; 7]); ([6], [6; 7])]
  (* banker_draws_when_player_stood *) [0; 1; 2; 3; 4; 5].

Definition insurance_open : opening := Card_to_come.

(* Punto: 1.1, settled by 4.1. *)
Definition bet_punto : bet := [
  Line [Winner PlayerWins] (1 # 1) (* 1 to 1 *);
  Line [Winner Tie] (0 # 1) (* push *)
].

(* Banco: 1.2, settled by 4.2. *)
Definition bet_banco : bet := [
  Line [Winner BankerWins] (19 # 20) (* 0.95 to 1 *);
  Line [Winner Tie] (0 # 1) (* push *)
].

(* Six: 1.3, settled by 4.3. *)
Definition bet_six : bet := [
  Line [Winner BankerWins; Banker_points [6]; Banker_cards 2] (12 # 1) (* 12 to 1 *);
  Line [Winner BankerWins; Banker_points [6]; Banker_cards 3] (20 # 1) (* 20 to 1 *)
].

(* Any Pair: 1.4, settled by 4.4. *)
Definition bet_any_pair : bet := [
  Line [Pairs SinglePair] (4 # 1) (* 4 to 1 *);
  Line [Pairs DoublePair] (20 # 1) (* 20 to 1 *);
  Line [Pairs TwinPair] (100 # 1) (* 100 to 1 *)
].

(* The insurance states. *)
Definition state_player_four_cards_5_4 : state := State Player Four_cards 5 4 (3 # 2) [] (* 3 to 2 *).
Definition state_player_four_cards_6_0 : state := State Player Four_cards 6 0 (3 # 1) [] (* 3 to 1 *).
Definition state_player_four_cards_6_1 : state := State Player Four_cards 6 1 (3 # 1) [] (* 3 to 1 *).
Definition state_player_four_cards_6_2 : state := State Player Four_cards 6 2 (3 # 1) [] (* 3 to 1 *).
Definition state_player_four_cards_6_3 : state := State Player Four_cards 6 3 (3 # 1) [] (* 3 to 1 *).
Definition state_player_four_cards_6_4 : state := State Player Four_cards 6 4 (3 # 1) [] (* 3 to 1 *).
Definition state_player_four_cards_6_5 : state := State Player Four_cards 6 5 (3 # 1) [] (* 3 to 1 *).
Definition state_banker_player_third_card_0_3 : state := State Banker Player_third_card 0 3 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_0_4 : state := State Banker Player_third_card 0 4 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_0_5 : state := State Banker Player_third_card 0 5 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_1_3 : state := State Banker Player_third_card 1 3 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_1_4 : state := State Banker Player_third_card 1 4 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_1_5 : state := State Banker Player_third_card 1 5 (2 # 1) [] (* 2 to 1 *).
Definition state_banker_player_third_card_6_6 : state := State Banker Player_third_card 6 6 (5 # 1) [6] (* 5 to 1 *).

(* ------------------------------------------------------------------ 1 decks *)

Definition tables_1 : tables_of_shoe := Eval vm_compute in tables table_of_play insurance_open (decks 1).

Lemma tables_1_hold : tables table_of_play insurance_open (decks 1) = tables_1.
Proof. vm_cast_no_check (eq_refl tables_1). Qed.

Theorem sample_space_1 : sample_space (decks 1) = 14658134400.
Proof. vm_compute; reflexivity. Qed.
Theorem void_1 : void_ways table_of_play (decks 1) = 0.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_punto_1_line_1 : ways table_of_play bet_punto (ByLine 1) (decks 1) = 6548674432.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_punto_1_line_2 : ways table_of_play bet_punto (ByLine 2) (decks 1) = 1372227328.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_punto_1_loses : ways table_of_play bet_punto Lost (decks 1) = 6737232640.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_punto_1_edge : (house_edge table_of_play bet_punto (decks 1) == (163679 # 12724075))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_banco_1_line_1 : ways table_of_play bet_banco (ByLine 1) (decks 1) = 6737232640.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_banco_1_line_2 : ways table_of_play bet_banco (ByLine 2) (decks 1) = 1372227328.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_banco_1_loses : ways table_of_play bet_banco Lost (decks 1) = 6548674432.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_banco_1_edge : (house_edge table_of_play bet_banco (decks 1) == (49303 # 4873050))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_six_1_line_1 : ways table_of_play bet_six (ByLine 1) (decks 1) = 542804128.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_six_1_line_2 : ways table_of_play bet_six (ByLine 2) (decks 1) = 240404192.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_six_1_loses : ways table_of_play bet_six Lost (decks 1) = 13874926080.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_six_1_edge : (house_edge table_of_play bet_six (decks 1) == (19946818 # 114516675))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_any_pair_1_line_1 : ways table_of_play bet_any_pair (ByLine 1) (decks 1) = 1621721088.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_any_pair_1_line_2 : ways table_of_play bet_any_pair (ByLine 2) (decks 1) = 50678784.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_any_pair_1_line_3 : ways table_of_play bet_any_pair (ByLine 3) (decks 1) = 703872.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_any_pair_1_loses : ways table_of_play bet_any_pair Lost (decks 1) = 12985030656.
Proof. counted_in tables_1_hold. Qed.
Theorem bet_any_pair_1_edge : (house_edge table_of_play bet_any_pair (decks 1) == (7692 # 20825))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_5_4_1_reached : state_ways table_of_play insurance_open state_player_four_cards_5_4 Reached (decks 1) = 132544512.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_5_4_1_wins : state_ways table_of_play insurance_open state_player_four_cards_5_4 Insurance_wins (decks 1) = 38163264.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_5_4_1_returned : state_ways table_of_play insurance_open state_player_four_cards_5_4 Insurance_returned (decks 1) = 15003008.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_5_4_1_loses : state_ways table_of_play insurance_open state_player_four_cards_5_4 Insurance_loses (decks 1) = 79378240.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_5_4_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_5_4 (decks 1) == (691667 # 4142016))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_0_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_0 Reached (decks 1) = 197445120.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_0_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_0 Insurance_wins (decks 1) = 46802976.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_0_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_0 Insurance_returned (decks 1) = 14083456.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_0_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_0 Insurance_loses (decks 1) = 136558688.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_0_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_0 (decks 1) == (-32 # 1641))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_1_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_1 Reached (decks 1) = 132544512.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_1_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_1 Insurance_wins (decks 1) = 30043904.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_1_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_1 Insurance_returned (decks 1) = 10407680.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_1_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_1 Insurance_loses (decks 1) = 92092928.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_1_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_1 (decks 1) == (163 # 11016))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_2_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_2 Reached (decks 1) = 128790528.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_2_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_2 Insurance_wins (decks 1) = 29183616.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_2_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_2 Insurance_returned (decks 1) = 10067776.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_2_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_2 Insurance_loses (decks 1) = 89539136.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_2_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_2 (decks 1) == (661 # 42816))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_3_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_3 Reached (decks 1) = 132977664.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_3_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_3 Insurance_wins (decks 1) = 30064960.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_3_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_3 Insurance_returned (decks 1) = 9457152.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_3_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_3 Insurance_loses (decks 1) = 93455552.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_3_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_3 (decks 1) == (271 # 11052))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_4_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_4 Reached (decks 1) = 128357376.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_4_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_4 Insurance_wins (decks 1) = 29066304.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_4_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_4 Insurance_returned (decks 1) = 10118912.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_4_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_4 Insurance_loses (decks 1) = 89172160.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_4_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_4 (decks 1) == (41 # 2667))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_5_1_reached : state_ways table_of_play insurance_open state_player_four_cards_6_5 Reached (decks 1) = 132544512.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_5_1_wins : state_ways table_of_play insurance_open state_player_four_cards_6_5 Insurance_wins (decks 1) = 31090688.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_5_1_returned : state_ways table_of_play insurance_open state_player_four_cards_6_5 Insurance_returned (decks 1) = 10371584.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_5_1_loses : state_ways table_of_play insurance_open state_player_four_cards_6_5 Insurance_loses (decks 1) = 91082240.
Proof. counted_in tables_1_hold. Qed.
Theorem state_player_four_cards_6_5_1_edge : (state_edge table_of_play insurance_open state_player_four_cards_6_5 (decks 1) == (-91 # 5508))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_3_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_0_3 Reached (decks 1) = 101529024.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_3_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_0_3 Insurance_wins (decks 1) = 0.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_3_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_0_3 Insurance_returned (decks 1) = 7936320.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_3_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_0_3 Insurance_loses (decks 1) = 93592704.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_3_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_0_3 (decks 1) == (487462 # 528797))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_4_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_0_4 Reached (decks 1) = 29394176.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_4_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_0_4 Insurance_wins (decks 1) = 0.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_4_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_0_4 Insurance_returned (decks 1) = 2145024.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_4_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_0_4 Insurance_loses (decks 1) = 27249152.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_4_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_0_4 (decks 1) == (15206 # 16403))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_5_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_0_5 Reached (decks 1) = 29466368.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_5_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_0_5 Insurance_wins (decks 1) = 0.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_5_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_0_5 Insurance_returned (decks 1) = 1896448.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_5_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_0_5 Insurance_loses (decks 1) = 27569920.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_0_5_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_0_5 (decks 1) == (107695 # 115103))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_3_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_1_3 Reached (decks 1) = 90309184.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_3_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_1_3 Insurance_wins (decks 1) = 7010304.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_3_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_1_3 Insurance_returned (decks 1) = 7209728.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_3_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_1_3 Insurance_loses (decks 1) = 76089152.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_3_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_1_3 (decks 1) == (969821 # 1411081))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_4_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_1_4 Reached (decks 1) = 20149088.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_4_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_1_4 Insurance_wins (decks 1) = 1392768.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_4_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_1_4 Insurance_returned (decks 1) = 1431904.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_4_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_1_4 Insurance_loses (decks 1) = 17324416.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_4_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_1_4 (decks 1) == (454340 # 629659))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_5_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_1_5 Reached (decks 1) = 20764224.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_5_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_1_5 Insurance_wins (decks 1) = 1409792.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_5_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_1_5 Insurance_returned (decks 1) = 1442944.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_5_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_1_5 Insurance_loses (decks 1) = 17911488.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_1_5_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_1_5 (decks 1) == (235811 # 324441))%Q.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_6_6_1_reached : state_ways table_of_play insurance_open state_banker_player_third_card_6_6 Reached (decks 1) = 14083456.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_6_6_1_wins : state_ways table_of_play insurance_open state_banker_player_third_card_6_6 Insurance_wins (decks 1) = 10690816.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_6_6_1_returned : state_ways table_of_play insurance_open state_banker_player_third_card_6_6 Insurance_returned (decks 1) = 0.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_6_6_1_loses : state_ways table_of_play insurance_open state_banker_player_third_card_6_6 Insurance_loses (decks 1) = 3392640.
Proof. counted_in tables_1_hold. Qed.
Theorem state_banker_player_third_card_6_6_1_edge : (state_edge table_of_play insurance_open state_banker_player_third_card_6_6 (decks 1) == (-391105 # 110027))%Q.
Proof. counted_in tables_1_hold. Qed.

Definition theorems_1 : list proved := [
  Proved sample_space_1;
  Proved void_1;
  Proved bet_punto_1_line_1;
  Proved bet_punto_1_line_2;
  Proved bet_punto_1_loses;
  Proved bet_punto_1_edge;
  Proved bet_banco_1_line_1;
  Proved bet_banco_1_line_2;
  Proved bet_banco_1_loses;
  Proved bet_banco_1_edge;
  Proved bet_six_1_line_1;
  Proved bet_six_1_line_2;
  Proved bet_six_1_loses;
  Proved bet_six_1_edge;
  Proved bet_any_pair_1_line_1;
  Proved bet_any_pair_1_line_2;
  Proved bet_any_pair_1_line_3;
  Proved bet_any_pair_1_loses;
  Proved bet_any_pair_1_edge;
  Proved state_player_four_cards_5_4_1_reached;
  Proved state_player_four_cards_5_4_1_wins;
  Proved state_player_four_cards_5_4_1_returned;
  Proved state_player_four_cards_5_4_1_loses;
  Proved state_player_four_cards_5_4_1_edge;
  Proved state_player_four_cards_6_0_1_reached;
  Proved state_player_four_cards_6_0_1_wins;
  Proved state_player_four_cards_6_0_1_returned;
  Proved state_player_four_cards_6_0_1_loses;
  Proved state_player_four_cards_6_0_1_edge;
  Proved state_player_four_cards_6_1_1_reached;
  Proved state_player_four_cards_6_1_1_wins;
  Proved state_player_four_cards_6_1_1_returned;
  Proved state_player_four_cards_6_1_1_loses;
  Proved state_player_four_cards_6_1_1_edge;
  Proved state_player_four_cards_6_2_1_reached;
  Proved state_player_four_cards_6_2_1_wins;
  Proved state_player_four_cards_6_2_1_returned;
  Proved state_player_four_cards_6_2_1_loses;
  Proved state_player_four_cards_6_2_1_edge;
  Proved state_player_four_cards_6_3_1_reached;
  Proved state_player_four_cards_6_3_1_wins;
  Proved state_player_four_cards_6_3_1_returned;
  Proved state_player_four_cards_6_3_1_loses;
  Proved state_player_four_cards_6_3_1_edge;
  Proved state_player_four_cards_6_4_1_reached;
  Proved state_player_four_cards_6_4_1_wins;
  Proved state_player_four_cards_6_4_1_returned;
  Proved state_player_four_cards_6_4_1_loses;
  Proved state_player_four_cards_6_4_1_edge;
  Proved state_player_four_cards_6_5_1_reached;
  Proved state_player_four_cards_6_5_1_wins;
  Proved state_player_four_cards_6_5_1_returned;
  Proved state_player_four_cards_6_5_1_loses;
  Proved state_player_four_cards_6_5_1_edge;
  Proved state_banker_player_third_card_0_3_1_reached;
  Proved state_banker_player_third_card_0_3_1_wins;
  Proved state_banker_player_third_card_0_3_1_returned;
  Proved state_banker_player_third_card_0_3_1_loses;
  Proved state_banker_player_third_card_0_3_1_edge;
  Proved state_banker_player_third_card_0_4_1_reached;
  Proved state_banker_player_third_card_0_4_1_wins;
  Proved state_banker_player_third_card_0_4_1_returned;
  Proved state_banker_player_third_card_0_4_1_loses;
  Proved state_banker_player_third_card_0_4_1_edge;
  Proved state_banker_player_third_card_0_5_1_reached;
  Proved state_banker_player_third_card_0_5_1_wins;
  Proved state_banker_player_third_card_0_5_1_returned;
  Proved state_banker_player_third_card_0_5_1_loses;
  Proved state_banker_player_third_card_0_5_1_edge;
  Proved state_banker_player_third_card_1_3_1_reached;
  Proved state_banker_player_third_card_1_3_1_wins;
  Proved state_banker_player_third_card_1_3_1_returned;
  Proved state_banker_player_third_card_1_3_1_loses;
  Proved state_banker_player_third_card_1_3_1_edge;
  Proved state_banker_player_third_card_1_4_1_reached;
  Proved state_banker_player_third_card_1_4_1_wins;
  Proved state_banker_player_third_card_1_4_1_returned;
  Proved state_banker_player_third_card_1_4_1_loses;
  Proved state_banker_player_third_card_1_4_1_edge;
  Proved state_banker_player_third_card_1_5_1_reached;
  Proved state_banker_player_third_card_1_5_1_wins;
  Proved state_banker_player_third_card_1_5_1_returned;
  Proved state_banker_player_third_card_1_5_1_loses;
  Proved state_banker_player_third_card_1_5_1_edge;
  Proved state_banker_player_third_card_6_6_1_reached;
  Proved state_banker_player_third_card_6_6_1_wins;
  Proved state_banker_player_third_card_6_6_1_returned;
  Proved state_banker_player_third_card_6_6_1_loses;
  Proved state_banker_player_third_card_6_6_1_edge
].
Eval lazy in (counted_theorems theorems_1).
Print Assumptions theorems_1.
