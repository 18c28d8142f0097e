import CrashModel
import Identifiers

/// A report as far as grouping looks at it, and the keys that version 1 gave it. Belongs to
/// ``FrozenStackTests`` alone: a test of another version has a reader of its own.
///
///     stack trap-1.0.0-macos-arm64.ips      the name, for people
///     app Tern                              and so on: a fact a line; `shop` stands for those of an app
///     image Tern                            images, in their order; what follows is about it
///       path /Applications/Tern.app/...
///     thread 0                              threads, in their order
///       Tern.trap()  #0  +1f3c              frames: name or `??`, then facts, separated by tabs
///       *2 x40                              the last two frames forty times more; a name with a star has a `\` before
///     text Tern.trap()                      what version 1 makes of it
///     key 83b94344ee3766f959a66850049c3cba
///     or 0a...                              alternative keys
///     classes app base                      of the frames of the chosen stack
struct RecordedStack: Sendable {
  var name = ""
  var app = ""
  var report = CrashReport(format: ReportFormat("test"))
  var text = ""
  var key = ""
  var alternatives: [String] = []
  var classes: [String] = []

  struct Damage: Error {
    let line: String
  }

  /// The stacks of a file, in their order.
  static func all(in text: String) throws -> [RecordedStack] {
    var stacks: [RecordedStack] = []
    var place = Section.report
    for line in text.split(separator: "\n") where !line.hasPrefix("//") {
      let (word, rest) = halves(line)
      if word == "stack" {
        stacks.append(RecordedStack())
        stacks[stacks.count - 1].name = unescaped(rest)
        place = .report
        continue
      }
      guard !stacks.isEmpty else { throw Damage(line: String(line)) }
      try stacks[stacks.count - 1].take(line, word, rest, &place)
    }
    return stacks
  }

  /// The section that indented lines belong to.
  private enum Section {
    case report
    case image
    case thread
    /// The depth in the chain of causes.
    case exception(Int)
  }

  private static func halves(_ line: Substring) -> (Substring, Substring) {
    guard let blank = line.firstIndex(of: " ") else { return (line, "") }
    return (line[..<blank], line[line.index(after: blank)...])
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscape = false
    for character in text {
      if isEscape {
        result.append(
          character == "n" ? "\n" : character == "t" ? "\t" : character == "r" ? "\r" : character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  private mutating func take(
    _ line: Substring, _ word: Substring, _ rest: Substring, _ place: inout Section
  ) throws {
    if line.hasPrefix("  ") {
      let line = line.dropFirst(2)
      switch place {
      case .report: throw Damage(line: String(line))
      case .image:
        let (word, rest) = Self.halves(line)
        try takeImage(word, rest)
      case .thread: try Self.take(line, in: &report.threads[report.threads.count - 1].frames)
      case .exception(let depth):
        guard var exception = report.reason.exception else { throw Damage(line: String(line)) }
        try Self.take(line, in: &exception, depth)
        report.reason.exception = exception
      }
      return
    }
    let value = Self.unescaped(rest)
    switch word {
    case "app": app = value
    case "shop":
      (app, report.process.name, report.process.path) = ("shop", "shop", "/opt/shop/bin/shop")
      report.app = AppIdentity(name: "shop", version: "1.0", build: "12")
    case "format": report.format = ReportFormat(value)
    case "kind":
      guard let kind = ReportKind(rawValue: value) else { throw Damage(line: String(line)) }
      report.kind = kind
    case "product": report.app.name = value
    case "version": report.app.version = value
    case "build": report.app.build = value
    case "os": report.os.name = value
    case "process": report.process.name = value
    case "executable": report.process.path = value
    case "type": report.reason.type = value
    case "signal": report.reason.signal = value
    case "code": report.reason.code = value
    case "address": report.reason.address = Address(try Self.number(rest))
    case "message": report.reason.message = value
    case "tag":
      let (name, value) = Self.halves(rest)
      report.tags[ReportTag(String(name))] = Self.unescaped(value)
    case "image":
      report.images.append(LoadedImage(name: value))
      place = .image
    case "thread":
      let (number, name) = Self.halves(rest)
      guard let index = Int(number) else { throw Damage(line: String(line)) }
      report.threads.append(
        CrashThread(index: index, name: name.isEmpty ? nil : Self.unescaped(name)))
      place = .thread
    case "crashed":
      // The position of the chosen thread in the list.
      if value != "unknown" { report.crashedThread = Int(value) }
      if let index = report.crashedThread { report.threads[index].crashed = true }
    case "register":
      let (name, number) = Self.halves(rest)
      report.threads[report.threads.count - 1].registers.append(
        Register(String(name), try Self.number(number)))
    case "exception", "cause":
      let (type, message) = (rest.split(separator: "\t", omittingEmptySubsequences: false))
        .map { $0.isEmpty ? nil : Self.unescaped($0) }.pair
      let exception = LanguageException(type: type, message: message)
      var depth = 0
      if word == "exception" {
        report.reason.exception = exception
      } else if case .exception(let last) = place, var first = report.reason.exception {
        // A cause belongs to the exception before it.
        depth = last + 1
        Self.append(exception, to: &first, last)
        report.reason.exception = first
      } else {
        throw Damage(line: String(line))
      }
      place = .exception(depth)
    case "text": text = value
    case "key": key = value
    case "or": alternatives.append(value)
    case "classes": classes = rest.split(separator: " ").map(String.init)
    default: throw Damage(line: String(line))
    }
  }

  private static func number(_ text: Substring) throws -> UInt64 {
    guard let number = UInt64(text, radix: 16) else { throw Damage(line: String(text)) }
    return number
  }

  private mutating func takeImage(_ word: Substring, _ rest: Substring) throws {
    let index = report.images.count - 1
    switch word {
    case "path": report.images[index].path = Self.unescaped(rest)
    case "base": report.images[index].base = Address(try Self.number(rest))
    case "size": report.images[index].size = try Self.number(rest)
    case "debug": report.images[index].debugID = DebugID(String(rest))
    case "symbols":
      // `functions` says that the debug file knows no lines.
      var status = SymbolStatus(
        rest == "functions" ? .found : .init(rawValue: String(rest)) ?? .missing)
      if rest == "functions" { status.tried = [SymbolCandidate("", .noLineTable)] }
      report.images[index].symbols = status
    default: throw Damage(line: String(word))
    }
  }

  private static func append(
    _ cause: LanguageException, to exception: inout LanguageException, _ depth: Int
  ) {
    if depth == 0 {
      exception.inner.append(cause)
    } else {
      append(cause, to: &exception.inner[exception.inner.count - 1], depth - 1)
    }
  }

  private static func take(
    _ line: Substring, in exception: inout LanguageException, _ depth: Int
  ) throws {
    if depth == 0 {
      try take(line, in: &exception.frames)
    } else {
      try take(line, in: &exception.inner[exception.inner.count - 1], depth - 1)
    }
  }

  private static func take(_ line: Substring, in frames: inout [Frame]) throws {
    if line.hasPrefix("*") {
      let numbers = line.dropFirst().split(separator: " x").compactMap { Int($0) }
      guard numbers.count == 2, numbers[0] <= frames.count else { throw Damage(line: String(line)) }
      let turn = frames.suffix(numbers[0])
      for _ in 0..<numbers[1] { frames += turn }
      return
    }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    var frame = Frame(position: .exact)
    if let name = fields.first, name != "??" { frame.function = unescaped(name) }
    for field in fields.dropFirst() {
      switch field.first {
      case "#": frame.image = Int(field.dropFirst())
      case "+": frame.imageOffset = ImageOffset(try number(field.dropFirst()))
      case "@": frame.address = Address(try number(field.dropFirst()))
      case "=": frame.symbol = unescaped(field.dropFirst())
      case "&": frame.symbolOffset = try number(field.dropFirst())
      case "/": frame.file = unescaped(field.dropFirst())
      case "~": frame.inlined = true
      case "<": frame.position = .returnAddress
      case "^": frame.position = .adjusted
      case "!": frame.inApp = true
      case "?": frame.inApp = false
      default: throw Damage(line: String(line))
      }
    }
    frames.append(frame)
  }
}

extension Array<String?> {
  /// The first and the second; `nil` if they are missing.
  fileprivate var pair: (String?, String?) { (first ?? nil, count > 1 ? self[1] : nil) }
}
