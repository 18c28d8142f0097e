/// A call as the shipped app prints it.
public struct R8Call: Hashable, Sendable {
  public var className: String
  public var method: String
  /// `nil` where none is printed.
  public var line: Int?
  /// The text in the place of the source file: `SourceFile`, `r8-map-id-48ffd94`.
  public var file: String?

  public init(className: String, method: String, line: Int? = nil, file: String? = nil) {
    self.className = className
    self.method = method
    self.line = line
    self.file = file
  }

  /// `app.tern.Desk.pay`, with the return type before it and parameters after it or without.
  ///
  /// - Returns: `nil` for a name without a class.
  public init?(_ name: String, line: Int?, file: String?) {
    var text = name[...]
    if let open = text.utf8.firstIndex(of: UInt8(ascii: "(")) { text = text[..<open] }
    if let blank = text.utf8.lastIndex(of: 32) { text = text[text.utf8.index(after: blank)...] }
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > text.startIndex else {
      return nil
    }
    let method = text[text.utf8.index(after: dot)...]
    guard !method.isEmpty else { return nil }
    self.init(
      className: String(text[..<dot]), method: String(method),
      line: line.flatMap { $0 > 0 ? $0 : nil }, file: file)
  }

  /// Whether the place of the source file says nothing.
  var hasKnownFile: Bool {
    guard let file else { return false }
    return !["", "SourceFile", "Unknown", "Unknown Source", "PG", "Proguard"].contains(file)
      && !file.hasPrefix("r8-map-id-")
  }
}

/// A call of the source.
public struct R8Frame: Hashable, Sendable {
  public var className: String
  public var method: String
  public var file: String?
  public var line: Int?

  public init(className: String, method: String, file: String?, line: Int?) {
    self.className = className
    self.method = method
    self.file = file
    self.line = line
  }

  public var name: String { "\(className).\(method)" }
}

/// What a call of the shipped app is in the source.
public struct R8Answer: Hashable, Sendable {
  /// The innermost first: calls that were inlined stand before the one that holds them. None where R8
  /// made the method, and the source has no call there.
  public var frames: [R8Frame]
  /// Methods that it may be as well: the mapping does not tell them apart.
  public var others: [String] = []
  /// Whether it is code that R8 took out of several methods. It belongs to the next call of the stack,
  /// which wants this call's line to be looked up.
  public var isOutline = false
  /// Whether it is of an outline's caller, whose line was looked up.
  public var isOfOutline = false
  /// Whether inlined calls were left out.
  public var isCut = false

  init(_ frames: [R8Frame]) { self.frames = frames }
}
