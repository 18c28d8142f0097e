internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A trace of a language without a format of its own; the tag `language` names it.
  static let languageTrace = ReportFormat("language-trace")
}

/// Traces of languages that print little more than a message and calls. Each language is a type with its
/// headlines and its lines; the report is the same for all: an exception with calls, youngest first, and the
/// language's name as a tag.
enum LanguageTraceReader: LogReader {
  static let format = ReportFormat.languageTrace
  static let fileExtension = "txt"

  private static let languages: [any LanguageTrace.Type] = [
    OCamlTrace.self, HaskellTrace.self, ErlangTrace.self, ElixirTrace.self, LuaTrace.self,
    JuliaTrace.self, RTrace.self, NimTrace.self, CrystalTrace.self, DTrace.self, ZigTrace.self,
    VTrace.self, OdinTrace.self, AdaTrace.self, FortranTrace.self, SmalltalkTrace.self,
    CleanTrace.self,
  ]

  static let headlines = languages.flatMap { $0.headlines }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    for language in languages where language.kind == section.headline.kind {
      var parser = LanguageParser(language.name)
      language.read(section, text, into: &parser)
      return parser.finished().map { LoggedReport(report: $0) }
    }
    return nil
  }
}

/// The form of one language's traces.
protocol LanguageTrace: Sendable {
  /// In lower case: `ocaml`.
  static var name: String { get }
  static var kind: Headline.Kind { get }
  static var headlines: [HeadlineRule] { get }
  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser)
}

/// Parses the report of a language's trace.
struct LanguageParser {
  var report = CrashReport(format: .languageTrace)
  /// The exceptions, the outermost first.
  var chain: [LanguageException] = [LanguageException()]
  /// Whether the headline alone is a report.
  var isCertain = false
  private var counter = StackCounter()

  init(_ language: String) { report.tags[.language] = language }

  var hasFrames: Bool { chain.contains { !$0.frames.isEmpty } }

  mutating func set(type: String?, message: RawSpan) {
    chain[0].type = type
    let text = message.trimmed.name
    chain[0].message = text.isEmpty ? nil : text
  }

  mutating func addWords(_ line: RawSpan) {
    let text = chain[0].message ?? ""
    guard text.utf8.count + line.byteCount < FormatLimits.nameBytes else { return }
    chain[0].message = text.isEmpty ? line.name : text + "\n" + line.name
  }

  /// Adds the next older call.
  mutating func add(
    _ function: RawSpan, at location: SourceLocation? = nil, address: UInt64? = nil,
    inlined: Bool = false, isLibrary: Bool = false
  ) {
    add(
      named: function.trimmed.name, at: location, address: address, inlined: inlined,
      isLibrary: isLibrary)
  }

  mutating func add(
    named name: String, at location: SourceLocation? = nil, address: UInt64? = nil,
    inlined: Bool = false, isLibrary: Bool = false
  ) {
    var frame = Frame(
      address: address.map { Address($0) }, position: .adjusted,
      function: name.isEmpty ? nil : name, file: location?.file, line: location?.line,
      column: location?.column, inlined: inlined)
    if isLibrary || location.map({ Self.isLibrary($0) }) ?? false { frame.inApp = false }
    guard frame.function != nil || frame.file != nil else { return }
    counter.append(frame, to: &chain[chain.count - 1].frames)
  }

  /// Whether a file belongs to the library of a language, wherever that is installed.
  private static func isLibrary(_ location: SourceLocation) -> Bool {
    guard let file = location.file else { return false }
    return libraries.contains { file.contains($0) }
  }

  private static let libraries = [
    "/share/crystal/", "/vlib/", "/lib/std/", "/lib/system/", "/lib/pure/", "/libraries/base/",
    "libraries/base/",
    "SysExcept.st", "ExcHandling.st", "AnySOS.st", "SysDefs.st", "/druntime/", "/phobos/",
  ]

  mutating func begin(type: String?, message: RawSpan) {
    guard chain.count < FormatLimits.causes else { return }
    let text = message.trimmed.name
    chain.append(LanguageException(type: type, message: text.isEmpty ? nil : text))
  }

  /// Reverses the calls, for languages that print the oldest first.
  mutating func reverse() {
    for index in chain.indices { chain[index].frames.reverse() }
  }

  consuming func finished() -> CrashReport? {
    guard isCertain || hasFrames else { return nil }
    report.reason.type = chain[0].type
    report.reason.message = chain[0].message
    report.reason.exception = LanguageException.chain(chain)
    report.notes += counter.notes
    return report
  }
}

/// Searches for text around a headline, shared by the languages.
enum TraceText {
  /// The line that ends before `end`, and where it begins.
  static func lineBefore(_ end: Int, in text: RawSpan) -> Range<Int>? {
    guard end > 0 else { return nil }
    let last = text.byte(end - 1) == 10 ? end - 1 : end
    let limit = max(0, last - 4 * FormatLimits.prefixBytes)
    let start = text.between(limit, last).findLast(10).map { limit + $0 + 1 } ?? limit
    return start..<last
  }

  /// The line after the one of `index`.
  static func lineAfter(_ index: Int, in text: RawSpan) -> Range<Int> {
    let start = (text.find(10, from: index) ?? text.byteCount - 1) + 1
    let end = text.find(10, from: start) ?? text.byteCount
    return min(start, end)..<max(start, end)
  }

  /// The text after `Error: ` or another mark of the line's own.
  @_lifetime(copy line)
  static func after(_ mark: StaticString, in line: RawSpan) -> RawSpan? {
    guard let found = line.find(mark) else { return nil }
    return line.from(found + mark.utf8CodeUnitCount)
  }
}
