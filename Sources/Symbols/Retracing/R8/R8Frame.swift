/// A call as the shipped app prints it.
public struct R8Call: Hashable, Sendable {
  public var className: String
  public var method: String
  /// The line; `nil` where none is printed.
  public var line: Int?
  /// The text printed as the source file: `SourceFile`, `r8-map-id-48ffd94`.
  public var file: String?

  public init(className: String, method: String, line: Int? = nil, file: String? = nil) {
    self.className = className
    self.method = method
    self.line = line
    self.file = file
  }

  /// Reads `app.tern.Desk.pay`, with or without a return type before it and parameters after it.
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

  /// Whether the source file printed is a meaningful one.
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

/// The source calls for a call of the shipped app.
public struct R8Answer: Hashable, Sendable {
  /// The source calls, innermost first: inlined calls come before the one that contains them. None where R8
  /// generated the method, and the source has no call there.
  public var frames: [R8Frame]
  /// Other possible methods: the mapping does not distinguish them.
  public var others: [String] = []
  /// Whether it is code that R8 extracted from several methods. It belongs to the next call of the stack,
  /// which needs this call's line for its look-up.
  public var isOutline = false
  /// Whether it is the caller of an outline, whose line was looked up.
  public var isOfOutline = false
  /// Whether inlined calls were left out.
  public var isCut = false

  init(_ frames: [R8Frame]) { self.frames = frames }
}
