internal import Bytes
internal import Identifiers

extension SymbolCache {
  /// Whether a frame's name is a decorated one of Microsoft's compilers, and its source name the one that a
  /// user would search for: `?area@Shape@@QBEHXZ` for a function of C++, and on 32-bit x86 `_main`,
  /// `_wait@4`, `@swap@8` or `turn@@16` for one of C, depending on the calling convention.
  ///
  /// The name of a function that begins at an address is the one given by a PDB; a C++ name is demangled only
  /// where there is none.
  ///
  /// Source: Microsoft, "Decorated names".
  public func isDecorated(_ frame: CacheFrame) -> Bool {
    let symbol = text(frame.name)
    let source = text(frame.sourceName)
    guard symbol.byteCount > 1, source.byteCount > 0 else { return false }
    let first = unsafe symbol.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
    if first == UInt8(ascii: "?") { return true }
    guard architecture == .i386 else { return false }
    let isPrefixed = first == UInt8(ascii: "_") || first == UInt8(ascii: "@")
    if isPrefixed, symbol.matches(from: 1, count: source.byteCount, in: source, from: 0) {
      let end = source.byteCount + 1
      if end == symbol.byteCount { return true }
      return unsafe symbol.unsafeLoad(fromByteOffset: end, as: UInt8.self) == UInt8(ascii: "@")
    }
    return CDecoration(of: symbol, hasUnderscores: false).map {
      $0.name.count == source.byteCount
        && symbol.matches(from: $0.name.lowerBound, count: $0.name.count, in: source, from: 0)
    } ?? false
  }

  /// The source name for a symbol without a function in the debug information: the symbol's own without the C
  /// compiler's decoration. Empty where it has none.
  func plainName(of symbol: CacheFrame.Text) -> CacheFrame.Text {
    guard let found = CDecoration(of: text(symbol), hasUnderscores: hasUnderscores) else {
      return CacheFrame.Text()
    }
    return CacheFrame.Text(
      offset: symbol.offset + UInt32(found.name.lowerBound), count: UInt32(found.name.count))
  }
}

/// The decoration of C function names by Microsoft's compilers on 32-bit x86, by calling convention.
///
///     _wait     __cdecl
///     _wait@8   __stdcall, with the bytes of its parameters
///     @wait@8   __fastcall
///     wait@@8   __vectorcall
struct CDecoration {
  /// The range of the name itself.
  let name: Range<Int>

  /// - Parameter hasUnderscores: Whether an underscore before a name is the compiler's: not so in the names
  ///   exported by a library.
  /// - Returns: `nil` for a name without decoration, and for one that is mangled.
  init?(of symbol: RawSpan, hasUnderscores: Bool) {
    func byte(_ index: Int) -> UInt8 {
      guard index >= 0, index < symbol.byteCount else { return 0 }
      return unsafe symbol.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
    let first = byte(0)
    guard first != UInt8(ascii: "?") else { return nil }
    if first == UInt8(ascii: "_"), byte(1) == UInt8(ascii: "$") { return nil }
    if first == UInt8(ascii: "_"), byte(1) == UInt8(ascii: "_"),
      byte(2) == UInt8(ascii: "Z") || byte(2) == UInt8(ascii: "R")
    {
      return nil
    }
    var end = symbol.byteCount
    while end > 0, byte(end - 1) &- UInt8(ascii: "0") < 10 { end -= 1 }
    let hasSize = end < symbol.byteCount && byte(end - 1) == UInt8(ascii: "@")
    end = hasSize ? end - 1 : symbol.byteCount
    var start = 0
    if hasSize, byte(end - 1) == UInt8(ascii: "@") {
      end -= 1
    } else if first == UInt8(ascii: "_") && (hasSize || hasUnderscores) {
      start = 1
    } else if first == UInt8(ascii: "@") && hasSize {
      start = 1
    } else {
      return nil
    }
    guard start < end else { return nil }
    name = start..<end
  }
}
