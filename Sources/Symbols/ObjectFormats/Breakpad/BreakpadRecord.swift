/// The kind of a line in a Breakpad symbol file.
///
///     MODULE os arch id name
///     INFO CODE_ID id [file] | INFO anything
///     FILE number path
///     INLINE_ORIGIN number name
///     FUNC [m] address size parameter-size name
///     INLINE level call-line call-file origin address size [address size ...]
///     address size line file
///     PUBLIC [m] address parameter-size name
///     STACK WIN ...
///     STACK CFI [INIT] ...
///
/// Addresses and sizes are hexadecimal without `0x`, the other numbers decimal; addresses count
/// from the module's load address. Text runs to the end of the line. `m` says that linked copies of
/// several functions were folded into this one.
///
/// Source: Breakpad, docs/symbol_files.md.
public enum BreakpadRecord: Sendable {
  case module, info, file, inlineOrigin, function, inline, publicSymbol
  case stackWin, stackCFI
  /// A line record, whose first field is still to be read; or no record at all.
  case line
}
