internal import Bytes

/// A text in which reports of document formats follow each other, or are mixed with reports in logs: each of
/// them, and the text in between, is a source.
enum DocumentPieces {
  /// Bytes of text above a report of Apple's that are read with it.
  private static let preambleBytes = 16 << 10
  private static let headerLineBytes = 4 << 10

  private enum DocumentKind { case json, apple, other }

  private struct Opening {
    let start: Int
    let kind: DocumentKind
  }

  /// - Parameter openings: The openings in the text; those that begin a line are used.
  /// - Returns: `nil` if the text is one piece.
  /// - Complexity: O(n).
  static func sources(
    of text: ByteView, openings: [OpeningSearch.Match], headlines: HeadlineTable
  ) -> [TextSource]? {
    let bytes = text.bytes
    let documents = documents(in: bytes, openings: openings, headlines: headlines)
    guard !documents.isEmpty else { return nil }
    var pieces: [Range<Int>] = []
    var from = 0
    for document in documents {
      if from < document.lowerBound { pieces.append(from..<document.lowerBound) }
      pieces.append(document)
      from = document.upperBound
    }
    if bytes.from(from).trimmed.byteCount > 0, bytes.from(from).firstText != 0 {
      pieces.append(from..<bytes.byteCount)
    }
    guard pieces.count > 1 else { return nil }
    return pieces.map { TextSource(text.clamped($0), at: $0.lowerBound) }
  }

  /// The ranges of such reports, each with the text above it that is read with it.
  ///
  /// - Complexity: O(n).
  static func documents(
    in text: RawSpan, openings: [OpeningSearch.Match], headlines: HeadlineTable
  ) -> [Range<Int>] {
    let found = found(in: text, openings)
    var documents: [Range<Int>] = []
    var from = 0
    var index = 0
    while index < found.count {
      let opening = found[index]
      let end = self.end(of: &index, found, in: text, headlines)
      // Text above a report is read with it, another report is not.
      var start = opening.start
      if opening.kind == .apple {
        if firstHeadline(in: text, from..<start, headlines) == nil {
          start = preamble(before: start, after: from, in: text)
        }
      }
      documents.append(start..<max(start, end))
      from = end
    }
    return documents
  }

  /// The first line before `start` that is read with the report there, not before `least`.
  private static func preamble(before start: Int, after least: Int, in text: RawSpan) -> Int {
    let limit = start - preambleBytes
    guard limit > least else { return least }
    return text.find(10, from: limit).map { min($0 + 1, start) } ?? start
  }

  private static func found(in text: RawSpan, _ openings: [OpeningSearch.Match]) -> [Opening] {
    openings.compactMap { opening in
      let start = opening.start
      guard start == 0 || text.byte(start - 1) == 10 else { return nil }
      // Apple's header begins with any of its keys.
      let isJSON = text.byte(start) == UInt8(ascii: "{")
      if isJSON, !isHeader(text, at: start, isNamed: opening.isNamed) { return nil }
      let isApple =
        text.has("Process:", at: start) || text.has("Incident", at: start)
        || text.has("Translated", at: start)
      return Opening(start: start, kind: isJSON ? .json : isApple ? .apple : .other)
    }
  }

  /// Whether the object at `start` is a header of Apple's, and a report follows.
  ///
  /// - Parameter isNamed: Whether it begins like most headers. For any other, only its line is read.
  private static func isHeader(_ text: RawSpan, at start: Int, isNamed: Bool) -> Bool {
    if !isNamed {
      let line = text.between(start, start + headerLineBytes)
      guard line.upTo(line.find(10) ?? line.byteCount).contains("\"bug_type\"") else {
        return false
      }
    }
    let end = endOfObject(in: text.upTo(start + (64 << 10)), from: start)
    let next = skippingBlankLines(in: text, from: end)
    guard text.between(start, end).contains("\"bug_type\"") else { return false }
    return text.byteOrZero(next) == UInt8(ascii: "{")
      || text.between(next, next + 4096).contains("Incident Identifier:")
  }

  /// The end of the report that begins with the opening at `index`, which moves past the openings that belong
  /// to it.
  private static func end(
    of index: inout Int, _ openings: [Opening], in text: RawSpan, _ headlines: HeadlineTable
  ) -> Int {
    let opening = openings[index]
    index += 1
    var end: Int
    switch opening.kind {
    case .json:
      end = endOfObject(in: text, from: opening.start)
      let next = skippingBlankLines(in: text, from: end)
      if text.byteOrZero(next) == UInt8(ascii: "{") {
        end = endOfObject(in: text, from: next)
      } else {
        // A header before a text report.
        let following = index < openings.count ? openings[index].start : text.byteCount
        if following - end < 4096, index < openings.count, openings[index].kind == .apple {
          return self.end(of: &index, openings, in: text, headlines)
        }
      }
    case .apple:
      end = endOfApple(&index, openings, in: text, headlines)
    case .other:
      let limit = index < openings.count ? openings[index].start : text.byteCount
      if text.byteOrZero(opening.start) == UInt8(ascii: "<") {
        end = endOfElement(in: text, from: opening.start)
      } else if text.has("ProblemType: ", at: opening.start) {
        end = endOfFields(in: text.upTo(limit), from: opening.start)
      } else {
        end = limit
      }
    }
    while index < openings.count, openings[index].start < end { index += 1 }
    return end
  }

  /// Apple's text, and further reports in it up to one of another kind, which may begin after the list of images.
  private static func endOfApple(
    _ index: inout Int, _ openings: [Opening], in text: RawSpan, _ headlines: HeadlineTable
  ) -> Int {
    var start = openings[index - 1].start
    while true {
      let next = index < openings.count ? openings[index] : nil
      let limit = next?.start ?? text.byteCount
      if let images = text.between(start, limit).find("\nBinary Images:") {
        let tail = endOfImages(in: text, from: start + images + 1, limit: limit)
        if let headline = firstHeadline(in: text, tail..<limit, headlines) {
          return beginning(of: headline, after: tail, in: text)
        }
        if let next, next.kind == .json, text.between(tail, limit).contains("\nFull Report") {
          let header = endOfObject(in: text, from: next.start)
          let body = skippingBlankLines(in: text, from: header)
          index += 1
          return text.byteOrZero(body) == UInt8(ascii: "{")
            ? endOfObject(in: text, from: body) : header
        }
      }
      guard let next, next.kind == .apple else { return limit }
      start = next.start
      index += 1
    }
  }

  /// The start of the text that belongs to the headline at `start`: after the last of Apple's own paragraphs
  /// that follow the images at `tail`.
  private static func beginning(of start: Int, after tail: Int, in text: RawSpan) -> Int {
    let between = text.between(tail, start)
    let own: [StaticString] = [
      "VM Region Summary:", "External Modification Summary:", "System Profile:", "EOF",
      "Full Report", "Model: ", "Error Formulating Crash Report:",
    ]
    guard let last = own.compactMap({ between.findLast($0) }).max() else { return tail }
    return between.find("\n\n", from: last).map { tail + $0 + 2 } ?? start
  }

  /// The end of the lines of images that follow the heading at `start`.
  private static func endOfImages(in text: RawSpan, from start: Int, limit: Int) -> Int {
    var cursor = LineCursor(start..<limit)
    _ = cursor.next(in: text)
    var end = cursor.position
    while let range = cursor.next(in: text) {
      let line = text.part(range).trimmed
      guard line.has("0x") || line.byteCount == 0 || line.has("...") else { break }
      end = cursor.position
    }
    return min(end, limit)
  }

  /// The start of the line of a log's first report.
  private static func firstHeadline(
    in text: RawSpan, _ range: Range<Int>, _ headlines: HeadlineTable
  ) -> Int? {
    let part = text.part(range)
    var finder = HeadlineFinder(headlines)
    while let headline = finder.next(in: part) {
      if headline.role == .precedes { continue }
      return range.lowerBound + headline.line.lowerBound
    }
    return nil
  }

  /// The end of the root element of the XML at `start`.
  private static func endOfElement(in text: RawSpan, from start: Int) -> Int {
    var open = start
    while open < text.byteCount, !text.byteOrZero(open + 1).isLetter {
      guard let next = text.find(UInt8(ascii: "<"), from: open + 1) else { return text.byteCount }
      open = next
    }
    var end = open + 1
    while text.byteOrZero(end).isLetter || text.byteOrZero(end).isDigit { end += 1 }
    let name = text.between(open + 1, end).name
    var close = end
    while let found = text.find("</", from: close) {
      close = found + 2
      let tag = text.between(close, close + end - open - 1)
      if tag.name == name, text.byteOrZero(close + tag.byteCount) == UInt8(ascii: ">") {
        return close + tag.byteCount + 1
      }
    }
    return text.byteCount
  }

  /// The end of Apport's lines of `Name: value`, of which continuation lines are indented.
  private static func endOfFields(in text: RawSpan, from start: Int) -> Int {
    var cursor = LineCursor(start..<text.byteCount)
    var end = start
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if !line.byteOrZero(0).isBlank {
        guard let colon = line.upTo(80).find(UInt8(ascii: ":")), colon > 0,
          !line.upTo(colon).contains(" ")
        else { break }
      }
      end = cursor.position
    }
    return min(end, text.byteCount)
  }

  /// The end of the object that begins at `start`: after its last brace, or of the text.
  private static func endOfObject(in text: RawSpan, from start: Int) -> Int {
    var depth = 0
    var index = start
    var isText = false
    while index < text.byteCount {
      let byte = text.byte(index)
      if isText {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index + 1 }
      }
      index += 1
    }
    return text.byteCount
  }

  private static func skippingBlankLines(in text: RawSpan, from start: Int) -> Int {
    var index = start
    while [9, 10, 13, 32].contains(text.byteOrZero(index)) { index += 1 }
    return index
  }
}
