internal import Bytes
internal import CrashModel
internal import Identifiers

/// The frames of a backtrace as Rust's runtime and `color-eyre` print it:
///
///        0: NAME
///                  at FILE:LINE:COLUMN
///        1:     0x55ac745d875a - NAME
struct RustFrames {
  private(set) var frames: [Frame] = []
  private(set) var counter = StackCounter()
  /// Whether the last frame waits for its location.
  private var isOpen = false

  /// Takes a line; returns whether it belongs to a backtrace.
  mutating func take(_ line: RawSpan) -> Bool {
    if isOpen, line.has("at ") {
      let location = SourceLocation(line.from(3).trimmed)
      if location.hasNumber, let last = frames.indices.last {
        frames[last].file = location.file
        frames[last].line = location.line
        frames[last].column = location.column
      }
      isOpen = false
      return true
    }
    var position = 0
    guard line.decimal(at: &position) != nil, position < 8,
      line.byteOrZero(position) == UInt8(ascii: ":"), line.byteOrZero(position + 1) == 32
    else { return false }
    position = line.skippingBlanks(from: position + 1)
    var frame = Frame(position: .adjusted)
    if let address = line.hexadecimal(at: &position) {
      frame.address = Address(address)
      frame.position = .returnAddress
      guard line.has(" - ", at: position) else { return false }
      position += 3
    }
    let name = line.from(position).trimmed
    if name.byteCount > 0, !name.has("<unknown>") { frame.function = Self.withoutHashes(name) }
    isOpen = counter.hasRoom(frames)
    if isOpen { frames.append(frame) }
    return true
  }

  /// The name without the hashes of its crates: `core[c1f1a4ba060b9bfa]::fmt::write`.
  private static func withoutHashes(_ name: RawSpan) -> String {
    guard name.find(UInt8(ascii: "[")) != nil else { return name.name }
    let name = name.upTo(FormatLimits.nameBytes)
    var bytes: [UInt8] = []
    var index = 0
    while index < name.byteCount {
      var digits = index + 1
      if name.byte(index) == UInt8(ascii: "["), name.hexadecimalDigits(at: &digits) != nil,
        digits - index > 14, name.byteOrZero(digits) == UInt8(ascii: "]")
      {
        index = digits + 1
      } else {
        bytes.append(name.byte(index))
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func append(_ frame: Frame) {
    counter.append(frame, to: &frames)
    isOpen = false
  }

  /// The frames, with inlined ones marked.
  consuming func finished() -> [Frame] {
    frames.markInlinedCalls()
    return frames
  }
}
