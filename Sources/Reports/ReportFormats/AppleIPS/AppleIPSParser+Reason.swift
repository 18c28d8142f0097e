internal import Bytes
internal import CrashModel
internal import JSON

extension AppleIPSParser {
  mutating func readException(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("type") {
        keepFirst(&exceptionType, try reader.readString())
      } else if reader.keyIs("signal") {
        keepFirst(&report.reason.signal, try reader.readString())
      } else if reader.keyIs("subtype") {
        keepFirst(&exceptionSubtype, try reader.readString())
      } else if reader.keyIs("message") {
        keepFirst(&exceptionMessage, try reader.readString())
      } else if reader.keyIs("codes") {
        keepTag(.exceptionCodes, try reader.readString())
      } else if reader.keyIs("rawCodes") {
        guard try reader.beginArray() else { continue }
        let isSecond = !rawCodes.isEmpty
        while try reader.nextElement() {
          let code = try reader.readUInt64()
          if !isSecond, rawCodes.count < 8 { rawCodes.append(code ?? 0) }
        }
      }
    }
  }

  mutating func readTermination(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    var namespace: String?
    var indicator: String?
    var lines: [String] = []
    while try reader.nextKey() {
      if reader.keyIs("namespace") {
        keepFirst(&namespace, try reader.readString())
      } else if reader.keyIs("code") {
        let code = try reader.readAddress()
        keepTag(.terminationCode, code.map { $0.hexadecimal })
      } else if reader.keyIs("indicator") {
        keepFirst(&indicator, try reader.readString())
      } else if reader.keyIs("byProc") {
        keepTag(.terminationBy, try reader.readString())
      } else if reader.keyIs("reasons") || reader.keyIs("details") {
        guard try reader.beginArray() else { continue }
        while try reader.nextElement() {
          if let line = try reader.readString(), lines.count < AppleLimits.textLines {
            lines.append(line)
          }
        }
      }
    }
    keepTag(.terminationNamespace, namespace)
    // `Trace/BPT trap: 5` only repeats the signal; the other namespaces say what was wrong.
    if lines.isEmpty, let indicator, namespace != "SIGNAL" { lines = [indicator] }
    keepTag(.terminationReason, indicator ?? lines.first)
    let text = lines.joined(separator: "\n")
    if !text.isEmpty { keepFirst(&terminationMessage, text.cutMessage) }
  }

  /// `asi`: for each image the lines that it wrote for the report.
  mutating func readInformation(_ reader: inout JSONReader) throws(ParseError) {
    if try reader.peek() == .string {
      if let text = try reader.readString() { keepInformation(text) }
      return
    }
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      guard try reader.beginArray() else { continue }
      while try reader.nextElement() {
        if let text = try reader.readString() { keepInformation(text) }
      }
    }
  }

  private mutating func keepInformation(_ text: String) {
    guard information.count < AppleLimits.textLines else {
      reach(AppleLimits.textLines, of: "lines of application-specific information")
      return
    }
    // One string may hold several lines, and Swift's runtime ends its own with a line end.
    information.append(text.trimmingBlankEnds())
  }

  /// `asiBacktraces`: stacks as text, in the form of the text reports.
  mutating func readInformationStacks(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginArray() else { return }
    while try reader.nextElement() {
      guard let text = try reader.readString() else { continue }
      guard informationStacks.count < AppleLimits.textLines else {
        reach(AppleLimits.textLines, of: "stacks of application-specific information")
        continue
      }
      informationStacks.append(text)
    }
  }

  /// `exceptionReason`: the Objective-C exception in members of its own, since macOS 13.
  mutating func readExceptionReason(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    var exception = LanguageException()
    while try reader.nextKey() {
      if reader.keyIs("name") || reader.keyIs("exceptionName") {
        keepFirst(&exception.type, try reader.readString())
      } else if reader.keyIs("composed_message") || reader.keyIs("composedMessage") {
        keepFirst(&exception.message, try reader.readString())
      }
    }
    if exception.type != nil || exception.message != nil { keepFirst(&namedException, exception) }
  }

  mutating func readLegacyInformation(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      guard reader.keyIs("threadTriggered"), try reader.beginObject() else { continue }
      var queue: String?
      while try reader.nextKey() {
        if reader.keyIs("index") {
          keepFirst(&triggeredThread, try reader.readInt())
        } else if reader.keyIs("name") {
          keepFirst(&triggeredName, try reader.readString())
        } else if reader.keyIs("queue") {
          keepFirst(&queue, try reader.readString())
        }
      }
      keepFirst(&triggeredName, queue)
    }
  }
}
