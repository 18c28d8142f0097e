internal import Bytes
internal import CrashModel

/// The JavaScript error and its stack, which React Native puts into the message of its own exceptions.
///
///     TypeError: undefined is not a function, js engine: hermes, stack:
///     renderDraft@1:482911
///     total@12.js:3:14
///
/// Columns, and Hermes' offsets into its bytecode, count from 0. Without a file the call is in the app's bundle.
///
/// Sources: `JSStackTrace.kt`, `ExceptionsManagerModule`, `RCTAssert.mm` and `parseErrorStack.js` of React Native.
struct ReactNativeMessage {
  private(set) var exception: LanguageException

  /// Whether an exception of that class is one of React Native's.
  static func isClass(_ type: String) -> Bool {
    type.hasPrefix("RCTFatalException") || type.hasSuffix(".JavascriptException")
      || type == "JavascriptException"
      || type.hasPrefix("com.facebook.react.") && type.hasSuffix(".JSException")
  }

  /// - Parameters:
  ///   - type: The class; on Apple's systems the message follows it.
  ///   - bundle: The file of calls without one.
  init?(type: String, message: String?, bundle: String) {
    var text = message ?? ""
    if text.isEmpty, let colon = type.firstRange(of: ": ") {
      text = String(type[colon.upperBound...])
    }
    guard !text.isEmpty else { return nil }
    var words = text[...]
    var stack: Substring = ""
    if let mark = words.lastRange(of: ", stack:") {
      stack = words[mark.upperBound...]
      words = words[..<mark.lowerBound]
    }
    if let engine = words.lastRange(of: ", js engine: ") { words = words[..<engine.lowerBound] }
    for lead in ["Unhandled JS Exception: ", "Unhandled JS Promise Rejection: "]
    where words.hasPrefix(lead) {
      words = words.dropFirst(lead.count)
    }
    let bytes = ByteView(words.utf8)
    let end = bytes.bytes.find(10) ?? bytes.bytes.byteCount
    let header = ScriptHeader(bytes.bytes.upTo(end))
    exception = LanguageException(type: header.type ?? "Error", message: header.message)
    let rest = bytes.bytes.from(end).trimmed
    if rest.byteCount > 1 {
      exception.message = ((exception.message ?? "") + rest.text).cut(FormatLimits.nameBytes)
    }
    for line in stack.utf8.split(separator: 10) {
      guard exception.frames.count < FormatLimits.framesPerStack else { break }
      if let frame = Self.frame(Substring(line).trimmed, bundle) { exception.frames.append(frame) }
    }
  }

  /// Whether a line is one of such a stack.
  static func isCall(_ line: RawSpan) -> Bool {
    guard let at = line.findLast(UInt8(ascii: "@")) else { return false }
    let source = line.from(at + 1)
    guard let colon = source.findLast(UInt8(ascii: ":")), colon > 0, source.byte(colon - 1).isDigit
    else { return false }
    var digits = colon + 1
    return source.decimal(at: &digits) != nil && digits == source.byteCount
  }

  /// `renderDraft@1:482911`, `total@12.js:3:14`.
  private static func frame(_ line: Substring, _ bundle: String) -> Frame? {
    guard line.utf8.count <= FormatLimits.nameBytes,
      let at = line.utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return nil }
    let source = line[line.utf8.index(after: at)...]
    let numbers = source.utf8.split(separator: UInt8(ascii: ":"))
    var location: ScriptLocation
    if numbers.count == 2, numbers.allSatisfy({ $0.allSatisfy(\.isDigit) }) {
      location = ScriptLocation(":" + source)
      location.file = bundle
    } else {
      location = ScriptLocation(source)
    }
    guard location.line != nil else { return nil }
    if let offset = location.offset, offset < Int.max { location.column = offset + 1 }
    var frame = Frame(position: .returnAddress)
    location.set(&frame)
    let name = line[..<at].trimmed
    if !["", "anonymous", "<anonymous>", "<unknown>", "unknown", "<global>"].contains(name) {
      frame.function = String(name)
    }
    return frame
  }
}

extension CrashReport {
  /// The report with React Native's exception replaced by the JavaScript one and its stack; the stack of the
  /// code that reported it becomes an additional one.
  consuming func withScriptStack() -> CrashReport {
    guard var exception = reason.exception else { return self }
    let bundle =
      os.name == "Android" || exception.type?.contains(".") == true
      ? "index.android.bundle" : "main.jsbundle"
    var stacks: [NamedStack] = []
    guard exception.takeScriptStack(bundle, &stacks, depth: FormatLimits.causes) else {
      return self
    }
    if reason.type == reason.exception?.type || reason.type == nil { reason.type = exception.type }
    if reason.message == reason.exception?.message?.cutMessage || reason.message == nil
      || reason.message == reason.exception?.message
    {
      reason.message = exception.message?.cutMessage
    }
    reason.exception = exception
    otherStacks += stacks
    return self
  }
}

extension LanguageException {
  /// - Returns: Whether it, or a cause of it, is React Native's.
  fileprivate mutating func takeScriptStack(
    _ bundle: String, _ stacks: inout [NamedStack], depth: Int
  ) -> Bool {
    if let type, ReactNativeMessage.isClass(type),
      let words = ReactNativeMessage(type: type, message: message, bundle: bundle)
    {
      if !frames.isEmpty, frames.allSatisfy({ $0.file?.hasSuffix(".js") != true }) {
        let name = type.prefix { $0 != ":" }
        stacks.append(NamedStack(title: "thrown as \(name)", frames: frames))
      }
      let causes = inner
      self = words.exception
      inner = causes
      return true
    }
    guard depth > 0, !inner.isEmpty else { return false }
    return inner[0].takeScriptStack(bundle, &stacks, depth: depth - 1)
  }
}
