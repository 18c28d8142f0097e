/// The scheme by which a name is mangled, recognised by its first bytes.
struct ManglingScheme {
  enum Language {
    case swift, rust
    /// The main function of a program in D, the only name of that language that is demangled.
    case dMain
    /// C++ by the Itanium ABI.
    case cxx
    /// C++ by Microsoft.
    case microsoft
  }

  let language: Language
  /// The number of bytes before the name proper: Mach-O symbol tables prefix every name with `_`.
  let skipped: Int

  /// The longest name that is accepted, in bytes.
  var nameLimit: Int {
    switch language {
    case .swift, .rust: Demangler.recursingNameLimit
    case .cxx, .microsoft, .dMain: Demangler.nameLimit
    }
  }

  /// - Returns: `nil` for a name that is not mangled.
  init?(of bytes: some RandomAccessCollection<UInt8>) {
    func byte(_ index: Int) -> UInt8 {
      index < bytes.count ? bytes[bytes.index(bytes.startIndex, offsetBy: index)] : 0
    }
    if Self.startsMicrosoft(byte(0), byte(1), byte(2)) {
      self.init(language: .microsoft, skipped: 0)
      return
    }
    var start = 0
    if byte(0) == UInt8(ascii: "_") {
      if byte(1) == UInt8(ascii: "_") || byte(1) == UInt8(ascii: "$") { start = 1 }
    } else if byte(0) != UInt8(ascii: "$") {
      return nil
    }
    // The body of a Clang block is called `___Z` followed by the name of the function around it.
    if byte(0) == UInt8(ascii: "_"), byte(1) == UInt8(ascii: "_"), byte(2) == UInt8(ascii: "_") {
      start = byte(3) == UInt8(ascii: "_") ? 1 : 0
      guard byte(start + 3) == UInt8(ascii: "Z") else { return nil }
      self.init(language: .cxx, skipped: start)
      return
    }
    switch (byte(start), byte(start + 1), byte(start + 2)) {
    case (UInt8(ascii: "_"), UInt8(ascii: "Z"), _):
      self.init(language: .cxx, skipped: start)
    case (UInt8(ascii: "_"), UInt8(ascii: "R"), let next) where Self.startsRust(next):
      self.init(language: .rust, skipped: start)
    case (UInt8(ascii: "_"), UInt8(ascii: "D"), UInt8(ascii: "m"))
    where bytes.dropFirst(start).elementsEqual("_Dmain".utf8):
      self.init(language: .dMain, skipped: start)
    // `_Tt`: the names of types in Objective-C, mangled as in the first Swift.
    case (UInt8(ascii: "_"), UInt8(ascii: "T"), UInt8(ascii: "0")),
      (UInt8(ascii: "_"), UInt8(ascii: "T"), UInt8(ascii: "t")),
      (UInt8(ascii: "$"), UInt8(ascii: "s"), _), (UInt8(ascii: "$"), UInt8(ascii: "S"), _),
      (UInt8(ascii: "$"), UInt8(ascii: "e"), _):
      self.init(language: .swift, skipped: start)
    default: return nil
    }
  }

  private init(language: Language, skipped: Int) {
    self.language = language
    self.skipped = skipped
  }

  /// `?` and the first byte of a name, a code or a template; `.?A` in type descriptors. Question marks alone
  /// are a name unknown to a tool.
  private static func startsMicrosoft(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "?"): second > UInt8(ascii: " ")
    case UInt8(ascii: "."): second == UInt8(ascii: "?") && third == UInt8(ascii: "A")
    default: false
    }
  }

  /// A Rust name continues with the tag of a path: `C`, `M`, `X`, `Y`, `N`, `I`, or a version number.
  ///
  /// Source: Rust RFC 2603.
  private static func startsRust(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "C"), UInt8(ascii: "M"), UInt8(ascii: "X"), UInt8(ascii: "Y"),
      UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
