internal import Bytes
internal import CrashModel
internal import Identifiers

extension AppleTextParser {
  /// Takes a frame, or the end of a symbol with a line break in it.
  ///
  /// - Returns: Whether the line was one.
  mutating func takeFrame(_ line: RawSpan) -> Bool {
    guard line.byte(0).isDigit else { return takeContinuation(line) }
    guard let parsed = AppleFrameLine(line) else { return false }
    // After a blank line, only the next frame of the same stack is accepted.
    if afterBlank, let last = lastFrameIndex, parsed.index != last + 1 { return false }
    lastFrameIndex = parsed.index
    frameCount += 1
    guard frameCount <= AppleLimits.frames else {
      reach(AppleLimits.frames, of: "frames")
      return true
    }
    var frame = Frame(position: isYoungest ? .exact : .returnAddress)
    frame.address = parsed.address.map { Address($0) }
    frame.imageOffset = parsed.imageOffset.map { ImageOffset($0) }
    frame.function = parsed.symbol.map { Self.symbol(line.part($0)) }
    frame.symbolOffset = parsed.symbolOffset
    frame.file = parsed.file.map { line.part($0).text }
    frame.line = parsed.line
    frame.inlined = parsed.isInlined
    // A frame whose symbol ends on the next line may still turn out to be inlined.
    if !frame.inlined { isYoungest = false }
    append(
      AppleTextFrame(
        frame: frame, imageName: nameIndex(line.part(parsed.image)),
        loadAddress: parsed.loadAddress))
    return true
  }

  /// ` + OFFSET [inlined]` alone on its line.
  private mutating func takeContinuation(_ line: RawSpan) -> Bool {
    // The leaks tool continues with the leaked blocks.
    if line.has("====") { block = .unread }
    guard line.has("+ "), lastFrameIndex != nil else { return false }
    var rest = AppleFrameLine()
    rest.parseRest(line, 0..<line.byteCount)
    guard let offset = rest.symbolOffset else { return false }
    modifyLastFrame { frame in
      guard frame.symbolOffset == nil else { return }
      frame.symbolOffset = offset
      frame.inlined = frame.inlined || rest.isInlined
      if let file = rest.file { frame.file = line.part(file).text }
      if let number = rest.line { frame.line = number }
    }
    if rest.isInlined, let last = lastFrame, last.position == .exact { isYoungest = true }
    return true
  }

  /// Addresses in parentheses, on one line or several: an exception's stack without symbols.
  mutating func takeAddresses(_ line: RawSpan) -> Bool {
    var at = 0
    var isAny = false
    while at < line.byteCount {
      guard line.byte(at) == UInt8(ascii: "0") else {
        if line.byte(at) == UInt8(ascii: ")") {
          block = .unread
          return true
        }
        guard line.byte(at).isBlank || line.byte(at) == UInt8(ascii: "(") else { return isAny }
        at += 1
        continue
      }
      var end = at
      while end < line.byteCount, !line.byte(end).isBlank, line.byte(end) != UInt8(ascii: ")") {
        end += 1
      }
      guard let address = line.part(at..<end).unsignedNumber else { return isAny }
      isAny = true
      at = end
      frameCount += 1
      guard frameCount <= AppleLimits.frames else {
        reach(AppleLimits.frames, of: "frames")
        continue
      }
      exceptionFrames.append(
        AppleTextFrame(frame: Frame(address: Address(address), position: .returnAddress)))
    }
    return isAny
  }

  /// `x0: 0x0000000000000001   x1: 0xffff…`; text after a value is left out.
  mutating func takeRegisters(_ line: RawSpan, _ thread: Int) -> Bool {
    var isAny = false
    var at = 0
    while let colon = line.find(UInt8(ascii: ":"), from: at) {
      at = colon + 1
      var start = colon
      while start > 0, !line.byte(start - 1).isBlank { start -= 1 }
      var value = at
      value = line.skippingBlanks(from: value)
      guard start < colon, colon - start <= 16,
        let token = AppleFrameLine.hexadecimalToken(line, at: value),
        let number = line.part(token).unsignedNumber
      else { continue }
      isAny = true
      at = token.upperBound
      guard threads.indices.contains(thread) else { continue }
      guard threads[thread].thread.registers.count < AppleLimits.registers else {
        reach(AppleLimits.registers, of: "registers of a thread")
        continue
      }
      threads[thread].thread.registers.append(Register(line.part(start..<colon).text, number))
    }
    return isAny
  }

  mutating func takeImage(_ line: RawSpan) -> Bool {
    guard let parsed = AppleImageLine(line, hasVersionInName: listsProcesses) else { return false }
    if parsed.isPlaceholder { return true }
    guard report.images.count < AppleLimits.images else {
      reach(AppleLimits.images, of: "images")
      return true
    }
    if let base = parsed.image.base?.value {
      if let known = imagesByBase[base] {
        if report.images[known].debugID == parsed.image.debugID { return true }
      } else {
        imagesByBase[base] = report.images.count
      }
    }
    report.images.append(parsed.image)
    reportedNames.append(parsed.reportedName)
    return true
  }

  // MARK: Stacks

  mutating func append(_ frame: AppleTextFrame) {
    switch block {
    case .thread(let index): threads[index].frames.append(frame)
    case .other(let index): otherStacks[index].frames.append(frame)
    case .exception: exceptionFrames.append(frame)
    default: break
    }
  }

  private var lastFrame: Frame? {
    switch block {
    case .thread(let index): threads[index].frames.last?.frame
    case .other(let index): otherStacks[index].frames.last?.frame
    case .exception: exceptionFrames.last?.frame
    default: nil
    }
  }

  private mutating func modifyLastFrame(_ body: (inout Frame) -> Void) {
    func modify(_ frames: inout [AppleTextFrame]) {
      if let last = frames.indices.last { body(&frames[last].frame) }
    }
    switch block {
    case .thread(let index): modify(&threads[index].frames)
    case .other(let index): modify(&otherStacks[index].frames)
    case .exception: modify(&exceptionFrames)
    default: break
    }
  }

  /// The number of an image's name; frames of one image mostly follow each other.
  mutating func nameIndex(_ name: RawSpan) -> Int? {
    if let last = lastImageName, Self.isSame(name, last.text) { return last.index }
    let text = name.text
    var index: Int?
    if !text.isEmpty && text != "???" && text != "?" {
      if let known = imageNameIndices[text] {
        index = known
      } else {
        index = imageNames.count
        imageNames.append(text)
        imageNameIndices[text] = index
      }
    }
    lastImageName = (text, index)
    return index
  }

  private static func isSame(_ bytes: RawSpan, _ text: String) -> Bool {
    let utf8 = text.utf8
    guard utf8.count == bytes.byteCount else { return false }
    var at = 0
    for byte in utf8 {
      guard byte == bytes.byte(at) else { return false }
      at += 1
    }
    return true
  }

  static func symbol(_ name: RawSpan) -> String { name.trimmed.text }
}
