internal import Bytes
internal import ObjectFormats

/// The frame records of a PDB as `STACK WIN` lines, in the form of Breakpad's `dump_syms`.
///
/// `FRAMEDATA`, 32 bytes:
///
///     OFFSET  SIZE  FIELD
///          0     4  start of the code, from the image base
///          4     4  its size
///          8     4  bytes of local variables
///         12     4  bytes of parameters
///         16     4  the most bytes on the stack
///         20     4  offset of the program in `/names`
///         24     2  size of the prologue
///         26     2  bytes of saved registers
///         28     4  flags
///
/// `FPO_DATA`, 16 bytes:
///
///          0     4  start of the code, from the image base
///          4     4  its size
///          8     4  words of local variables
///         12     2  words of parameters
///         14     1  size of the prologue
///         15     1  bits 0 to 2 words of saved registers, bit 4 whether the base pointer is used otherwise
///
/// Source: LLVM, `llvm/DebugInfo/CodeView/CodeView.h`, `FrameData`; Microsoft, winnt.h, `FPO_DATA`.
struct FrameDataLines {
  let text: [UInt8]

  init(_ streams: PDBFrameStreams) {
    var text: [UInt8] = []
    let data = streams.frameData.bytes
    // The records may be preceded by a word.
    var offset = data.byteCount % 32 == 4 ? 4 : 0
    while offset <= data.byteCount - 32 {
      let fields = (0..<6).map { data.word32(at: offset + $0 * 4) }
      let sizes = data.word32(at: offset + 24)
      offset += 32
      let program = Self.program(at: fields[5], in: streams.names)
      guard !program.isEmpty else { continue }
      let numbers = [
        fields[0], fields[1], sizes & 0xffff, 0, fields[3], sizes >> 16, fields[2], fields[4],
      ]
      Self.add("4", numbers, "1", to: &text)
      text += program
      text.append(UInt8(ascii: "\n"))
    }
    let older = streams.frameless.bytes
    for offset in stride(from: 0, through: older.byteCount - 16, by: 16) {
      let words = (0..<4).map { older.word32(at: offset + $0 * 4) }
      let (locals, isTooLarge) = words[2].multipliedReportingOverflow(by: 4)
      guard !isTooLarge else { continue }
      let numbers = [
        words[0], words[1], words[3] >> 16 & 0xff, 0, (words[3] & 0xffff) * 4,
        (words[3] >> 24 & 7) * 4, locals, 0,
      ]
      Self.add("0", numbers, "0", to: &text)
      text += [words[3] >> 28 & 1 == 1 ? UInt8(ascii: "1") : UInt8(ascii: "0"), UInt8(ascii: "\n")]
    }
    self.text = text
  }

  private static func add(
    _ type: String, _ numbers: [UInt32], _ hasProgram: String, to text: inout [UInt8]
  ) {
    let words = ["STACK WIN", type] + numbers.map { String($0, radix: 16) } + [hasProgram]
    text += Array((words.joined(separator: " ") + " ").utf8)
  }

  /// The longest program that is read.
  private static let programBytes = 1024

  private static func program(at offset: UInt32, in names: ByteView) -> [UInt8] {
    guard let start = Int(exactly: offset), start < names.count else { return [] }
    let tail = names.clamped(start..<min(names.count, start + programBytes)).array
    return Array(tail.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") })
  }
}
