/// Prefixes and suffixes of names in symbol tables.
///
/// Sources: `$` with a module's hash of LLVM's LowerTypeTests, Apple's `sys/cdefs.h` and `libplatform`
/// (`$NOCANCEL`, `$VARIANT$`), Microsoft's exception handling (`$catch$0`) and its ARM64EC ABI (`$exit_thunk`).
extension NameMarks {
  /// The name without prefixes and suffixes of the symbol table, which must be removed before it can be
  /// demangled.
  static func withoutSymbolMarks(_ name: NameBytes) -> NameBytes {
    var name = name
    for prefix: StaticString in ["symbol stub for: ", "DYLD-STUB$$"] where name.has(prefix) {
      name = name.from(prefix.utf8CodeUnitCount)
    }
    // A function's code, and not its descriptor, in the ABI of 64-bit PowerPC.
    if name.at(0) == UInt8(ascii: "."), name.count > 1,
      name.dropFirst().allSatisfy({ $0.isIdentifier })
    {
      name = name.from(1)
    }
    if name.at(0) == UInt8(ascii: "`"), let inner = functionOfFunclet(name) { name = inner }
    while let end = symbolMark(name), end > 0, end < name.count { name.cut(at: end) }
    return name
  }

  /// Where the last mark of a symbol begins.
  private static func symbolMark(_ name: NameBytes) -> Int? {
    if name.ends(with: "@plt") { return name.count - 4 }
    if let dollar = name.lastIndex(of: UInt8(ascii: "$")), dollar > 0 {
      let tail = name[(dollar + 1)...]
      // The hash of the module to which a static function belonged.
      if tail.count == 32, tail.allSatisfy({ $0.isHexDigit }) { return dollar }
      for suffix: StaticString in [
        "$NOCANCEL", "$UNIX2003", "$INODE64", "$DARWIN_EXTSN", "$exit_thunk", "$entry_thunk",
        "$iexit_thunk", "$stub", "$plt",
      ] where name.has(suffix, at: dollar) && dollar + suffix.utf8CodeUnitCount == name.count {
        return dollar
      }
      let before = name[..<dollar].lastIndex(of: UInt8(ascii: "$"))
      if let before, before > 0 {
        if name.has("$VARIANT$", at: before) { return before }
        if !tail.isEmpty, tail.allSatisfy({ $0.isDigit }) {
          for funclet: StaticString in ["$catch$", "$filt$", "$fin$", "$dtor$", "$unwind$"]
          where name.has(funclet, at: before) && before + funclet.utf8CodeUnitCount == dollar + 1 {
            return before
          }
        }
      }
    }
    // `llvm` with the hexadecimal hash that older versions give it.
    if let mark = name.findLast(".llvm."), mark + 6 < name.count,
      name[(mark + 6)...].allSatisfy({ $0.isHexDigit })
    {
      return mark
    }
    for mark: StaticString in [".cfi", ".cfi_jt"] where name.ends(with: mark) {
      return name.count - mark.utf8CodeUnitCount
    }
    // A mark of a mangled name that its demangler does not know.
    if name.has("_Z") || name.has("_R"), let dot = name.lastIndex(of: UInt8(ascii: ".")),
      certain.contains(NameBytes(name[(dot + 1)...]))
    {
      return dot
    }
    return nil
  }

  /// The function that a handler belongs to, from `` `Cart::total'::`1'::catch$0 ``.
  private static func functionOfFunclet(_ name: NameBytes) -> NameBytes? {
    guard let dollar = name.lastIndex(of: UInt8(ascii: "$")), dollar + 1 < name.count,
      name[(dollar + 1)...].allSatisfy({ $0.isDigit }), let close = name.find("'::`")
    else { return nil }
    return NameBytes(name[1..<close])
  }
}
