(* Crashes; built and run by make-languages.sh. *)
let line lines n = lines.(n)
let charge desk = 1 + line desk 7
let () = print_int (charge [| 1; 2 |])
