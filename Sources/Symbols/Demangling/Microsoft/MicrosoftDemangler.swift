/// C++ names as Microsoft's compiler decorates them: `?area@Shape@@QEBAHN@Z`.
///
/// Time, memory and stack are bounded by `NameLimits` and by the limit of the output, whatever the name
/// holds.
enum MicrosoftDemangler {
  enum Style {
    /// `Shape::area(double) const`: as names of other compilers are printed.
    case plain
    /// `public: int __cdecl Shape::area(double) const`: byte for byte as llvm-undname.
    case full
    /// `Shape::area(double) const`, types spelled as in `full`: as llvm-symbolizer.
    case symbolizer
    /// `area`
    case short
  }

  /// The text that `name` stands for. What optimisers put after it follows in brackets, and not in a
  /// short name.
  ///
  /// - Parameters:
  ///   - name: From its `?` or `.` on, without a NUL.
  ///   - limit: A longer text is refused, in bytes.
  /// - Returns: `nil` where the name breaks the grammar or passes a limit, and for a hash in any style
  ///   but `full`.
  static func demangle(
    _ name: UnsafeBufferPointer<UInt8>, as style: Style, limit: Int
  ) -> String? {
    var parser = MicrosoftParser(name, limit: limit)
    do {
      let root = try parser.symbol()
      let suffix = name[parser.position...]
      guard suffix.isEmpty || suffix.first == UInt8(ascii: ".") else { return nil }
      var printer = MicrosoftPrinter(parser.finish(), as: style, limit: limit)
      if style == .short {
        try printer.short(root)
      } else {
        if style != .full, printer.isHash(root) { return nil }
        try printer.symbol(root)
        if !suffix.isEmpty { try printer.suffix(suffix) }
      }
      return String(decoding: printer.output.bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }
}
