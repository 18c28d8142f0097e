--  A small program with a generic, nested procedures and an exception.
with Ada.Text_IO;
with Ada.Containers.Vectors;

procedure Lagoon is
   type Berth is record
      Depth, Length : Integer := 0;
   end record;
   package Berths is new Ada.Containers.Vectors (Positive, Berth);

   generic
      type Item is private;
      with function Weight (Value : Item) return Integer;
   function Heavier (Left, Right : Item) return Item;

   function Heavier (Left, Right : Item) return Item is
   begin
      return (if Weight (Left) > Weight (Right) then Left else Right);
   end Heavier;

   function Weight (Value : Berth) return Integer is (Value.Depth * 7 + Value.Length);
   function Heavier_Berth is new Heavier (Berth, Weight);

   All_Berths : Berths.Vector;
   Best : Berth;

   procedure Fill (Count : Positive) is
      procedure Add (Depth : Integer) is
      begin
         All_Berths.Append (Berth'(Depth, Count - Depth));
      end Add;
   begin
      for Index in 1 .. Count loop
         Add (Index mod 5);
      end loop;
   end Fill;
begin
   Fill (20);
   for Item of All_Berths loop
      Best := Heavier_Berth (Best, Item);
   end loop;
   Ada.Text_IO.Put_Line (Integer'Image (Weight (Best)));
   Ada.Text_IO.Put_Line (Integer'Image (All_Berths.Element (21).Depth));
exception
   when Constraint_Error => Ada.Text_IO.Put_Line ("none");
end Lagoon;
