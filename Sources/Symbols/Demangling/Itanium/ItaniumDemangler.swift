/// C++ names by the Itanium C++ ABI, which all compilers but Microsoft's follow.
///
/// The text is that of LLVM's tools. Time, memory and stack are bounded by `NameLimits` and by
/// the limit of the output, whatever the name holds.
enum ItaniumDemangler {
  enum Style {
    /// `int Shape::area<int>(int) const`
    case whole
    /// `area<int>`
    case short
  }

  /// The text that `name` stands for. A suffix of optimisers follows in brackets, as in
  /// `run() (.cold)`, and not in a short name.
  ///
  /// - Parameters:
  ///   - name: From its `_Z` or `___Z` on, without a NUL.
  ///   - limit: A longer text is refused, in bytes.
  /// - Returns: `nil` where the name breaks the grammar or passes a limit.
  static func demangle(
    _ name: UnsafeBufferPointer<UInt8>, as style: Style, limit: Int
  ) -> String? {
    var parser = ItaniumParser(name)
    do {
      let root: ItaniumNode.ID
      do {
        root = try parser.mangledName()
      } catch .damaged where parser.hasTwoReadings {
        parser = ItaniumParser(name, readsOlderNames: true)
        root = try parser.mangledName()
      }
      let suffix = name[parser.position...]
      var printer = ItaniumPrinter(parser.finish(), limit: limit)
      switch style {
      case .whole:
        try printer.all(root)
        if !suffix.isEmpty { try printer.suffix(suffix) }
      case .short: try printer.short(root)
      }
      return String(decoding: printer.output.bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }
}
