extension Demangler {
  /// A name of Microsoft's C++ compiler as LLVM's tools print it.
  public enum MicrosoftStyle: Sendable {
    /// With access, convention, result and the tags of types, as llvm-undname does.
    case full
    /// Name and parameters, as llvm-symbolizer does.
    case symbolizer
  }

  /// The text that a name of Microsoft's C++ compiler stands for: `int __cdecl run(class Shape &)` for
  /// `?run@@YAHAEAVShape@@@Z`. `nil` for any other name, and where it is damaged or passes a limit.
  /// The text in the descriptor of a type, such as `.?AVShape@@` and `.H`, is such a name, too.
  public static func undecorate(_ raw: String, as style: MicrosoftStyle = .full) -> String? {
    var raw = raw
    return raw.withUTF8 { bytes in
      guard let first = unsafe bytes.first,
        first == UInt8(ascii: "?") || first == UInt8(ascii: "."),
        unsafe !bytes.contains(0), bytes.count <= nameLimit
      else { return nil }
      return unsafe MicrosoftDemangler.demangle(
        bytes, as: style == .full ? .full : .symbolizer, limit: outputLimit)
    }
  }
}
