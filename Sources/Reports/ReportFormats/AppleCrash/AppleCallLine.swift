internal import Bytes
internal import CrashModel
internal import Identifiers

/// A line of a tree of calls.
///
///     COUNT  SYMBOL + OFFSET (IMAGE + OFFSET) [ADDRESS] …       spindump and resource reports
///     COUNT SYMBOL  (in IMAGE) + OFFSET  [ADDRESS]  FILE:LINE    sample
///
/// Blanks and the characters `+ ! : | *` before the count draw the tree.
///
/// Source: `spindump`, `sample` and resource reports of iOS 11 to 14 and macOS 10.15.
struct AppleCallLine {
  /// The distance of the count from the start of the line: the depth.
  var column: Int
  var count: Int
  /// Where the call's description begins.
  var text: Range<Int>
  /// The range of the number in brackets, with its `0x`.
  var address: Range<Int>?
  /// The first byte after the brackets.
  var rest: Int

  /// - Parameter line: The line with its indentation.
  init?(_ line: RawSpan) {
    var at = 0
    let end = line.byteCount
    while at < end {
      switch line.byte(at) {
      case 0x20, 0x09, UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: ":"), UInt8(ascii: "|"),
        UInt8(ascii: "*"):
        at += 1
        continue
      default: break
      }
      break
    }
    column = at
    let digits = at
    let number = line.decimal(at: &at)
    guard at > digits, at < end, line.byte(at).isBlank else { return nil }
    count = Int(clamping: number ?? .max)
    at = line.skippingBlanks(from: at)
    let start = at
    guard start < end else { return nil }
    rest = end
    if let open = line.find("[0x", from: start),
      let close = line.find(UInt8(ascii: "]"), from: open)
    {
      text = start..<open
      // Only the first of several locations in a function counts: `[0x10f0,0x10f8,...]`.
      let comma = line.find(UInt8(ascii: ","), from: open) ?? close
      address = (open + 1)..<min(comma, close)
      rest = close + 1
    } else {
      // A thread of sample: `2433 Thread_13078: NAME`.
      guard line.has("Thread_", at: start) else { return nil }
      text = start..<end
    }
  }
}

extension AppleTextParser {
  /// Takes a line of a tree of calls, or of the heaviest path through one.
  ///
  /// - Returns: Whether it was one.
  mutating func takeCall(_ whole: RawSpan, _ line: RawSpan) -> Bool {
    guard let call = AppleCallLine(whole) else { return false }
    if whole.has("Thread_", at: call.text.lowerBound) {
      takeSampledThread(whole, call)
      return true
    }
    switch block {
    case .heaviestStack(let thread):
      appendCall(whole, call, to: thread)
    case .callTree(let thread):
      guard threads.indices.contains(thread),
        let kept = path.follow(column: call.column, count: call.count)
      else { return true }
      threads[thread].frames.removeLast(max(threads[thread].frames.count - kept, 0))
      appendCall(whole, call, to: thread)
    default: return false
    }
    return true
  }

  private mutating func takeSampledThread(_ whole: RawSpan, _ call: AppleCallLine) {
    guard threads.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "threads")
      block = .unread
      return
    }
    var thread = CrashThread(index: threads.count)
    let text = whole.part(call.text).trimmed
    var at = 7
    while at < text.byteCount, text.byte(at).isDigit { at += 1 }
    thread.id = text.part(7..<at).unsignedNumber
    if let queue = text.find("DispatchQueue_"),
      let colon = text.find(": ", from: queue)
    {
      let end = text.find("  (", from: colon) ?? text.byteCount
      thread.name = text.part((colon + 2)..<end).trimmed.text
    } else if at < text.byteCount, text.byte(at) == UInt8(ascii: ":") {
      thread.name = text.from(at + 1).trimmed.text
    }
    threads.append(AppleTextThread(thread: thread))
    block = .callTree(threads.count - 1)
    path = AppleCallPath(below: call.column)
  }

  /// The path is listed outermost first, so the last call is the one that was running.
  private mutating func appendCall(_ whole: RawSpan, _ call: AppleCallLine, to thread: Int) {
    frameCount += 1
    guard frameCount <= AppleLimits.frames else {
      reach(AppleLimits.frames, of: "frames")
      return
    }
    var frame = Frame(position: .returnAddress)
    frame.address = call.address.flatMap { whole.part($0).unsignedNumber }.map { Address($0) }
    let text = whole.part(call.text).trimmed
    var image: Range<Int>?
    var loadAddress: UInt64?
    var symbol = text
    if let open = text.findLast(" (in "),
      let close = text.find(UInt8(ascii: ")"), from: open)
    {
      image = (open + 5)..<close
      symbol = text.upTo(open).trimmed
      if let load = text.find(" load address 0x", from: close) {
        var at = load + 14
        loadAddress = text.hexadecimal(at: &at)
      } else if let plus = text.find(" + ", from: close) {
        let offsets = text.from(plus + 3).trimmed
        let first = offsets.upTo(offsets.find(UInt8(ascii: ",")) ?? offsets.byteCount)
        frame.symbolOffset = first.unsignedNumber
      }
    } else if text.byteCount > 0, text.byte(text.byteCount - 1) == UInt8(ascii: ")"),
      let open = text.findLast(" (")
    {
      let inside = text.part((open + 2)..<(text.byteCount - 1))
      let end = inside.findLast(" + ") ?? inside.byteCount
      image = (open + 2)..<(open + 2 + end)
      if end < inside.byteCount,
        let offset = inside.from(end + 3).unsignedNumber
      {
        frame.imageOffset = ImageOffset(offset)
      }
      symbol = text.upTo(open).trimmed
      if let plus = symbol.findLast(" + "),
        let offset = symbol.from(plus + 3).unsignedNumber
      {
        frame.symbolOffset = offset
        symbol = symbol.upTo(plus).trimmed
      }
    }
    if !AppleFrameLine.isNoName(symbol) { frame.function = Self.symbol(symbol) }
    var location = AppleFrameLine()
    if call.rest < whole.byteCount {
      let rest = whole.from(call.rest).trimmed
      if rest.byteCount > 0, rest.findLast(":") != nil {
        location.takeLocation(rest, 0..<rest.byteCount)
        frame.file = location.file.map { rest.part($0).text }
        frame.line = location.line
      }
    }
    threads[thread].frames.append(
      AppleTextFrame(
        frame: frame, imageName: image.flatMap { nameIndex(text.part($0)) },
        loadAddress: loadAddress))
  }

  // MARK: Stackshots of iOS 7

  /// `thread 0x14b TH_WAIT 0`.
  mutating func takeStackshotThread(_ line: RawSpan) -> Bool {
    guard let token = AppleFrameLine.hexadecimalToken(line, at: 7) else { return false }
    block = .unread
    guard threads.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "threads")
      return true
    }
    let thread = CrashThread(
      index: threads.count, id: line.part(token).unsignedNumber)
    threads.append(AppleTextThread(thread: thread))
    return true
  }

  /// `user: 0x3964aa58 0x3964a859 …`, youngest first.
  mutating func takeStackshotAddresses(_ line: RawSpan, _ thread: Int) {
    var at = 6
    while at < line.byteCount, let token = AppleFrameLine.hexadecimalToken(line, at: at) {
      at = token.upperBound + 1
      frameCount += 1
      guard frameCount <= AppleLimits.frames else {
        reach(AppleLimits.frames, of: "frames")
        return
      }
      let address = line.part(token).unsignedNumber.map { Address($0) }
      let position: CodePosition = threads[thread].frames.isEmpty ? .exact : .returnAddress
      threads[thread].frames.append(
        AppleTextFrame(frame: Frame(address: address, position: position)))
    }
  }
}
