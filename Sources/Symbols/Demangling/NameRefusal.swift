/// Why a name is not demangled.
enum NameRefusal: Error {
  /// It breaks the grammar.
  case damaged
  /// It passes a limit of `NameLimits`.
  case limit
}
