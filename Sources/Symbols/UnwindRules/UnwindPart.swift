package import Bytes
internal import DWARF
package import ObjectFormats

/// A part of an object file with unwind rules, without the object around it: addresses count from 0, and code
/// may be anywhere. For tests and the fuzzer.
package enum UnwindPart {
  /// `.eh_frame`, linked to address 0, or `.debug_frame`.
  case callFrames(ByteView, isEHFrame: Bool)
  /// `__unwind_info`, and the code that encodings point into, from address 0 on.
  case compact(ByteView, code: ByteView)
  /// The function table of a 64-bit Windows program, and its image from address 0 on.
  case functionTable(ByteView, image: ByteView)
  /// The range of the exception index of a 32-bit Arm program, and its image from address 0 on.
  case exceptionIndex(Range<UInt32>, image: ByteView)
  /// Breakpad's text.
  case stackLines(ByteView)
  /// The frame records of a PDB and the texts that they name.
  case frameData(PDBFrameStreams)
}

extension UnwindRules {
  /// Compiles the rules of a part, like ``compile(_:)-(ObjectFile)``.
  ///
  /// - Throws: ``ParseError`` when the file would exceed the range of its numbers.
  package static func compile(
    _ part: UnwindPart, for target: UnwindTarget
  ) throws(ParseError) -> ByteView {
    var builder = UnwindBuilder()
    switch part {
    case .callFrames(let bytes, let isEHFrame):
      builder.read(
        CallFrameSection(bytes: bytes, isEHFrame: isEHFrame, target: target), rank: 0)
    case .compact(let bytes, let code):
      CompactUnwindSection(
        bytes: bytes, endianness: target.endianness, architecture: target.architecture, code: code
      ).read(into: &builder, rank: 0)
    case .functionTable(let table, let image):
      let image = LoadedSections(image, at: 0)
      if UnwindRegisters.family(of: target.architecture) == .x86_64 {
        X64FunctionTable(image: image).read(table, into: &builder, rank: 0)
      } else {
        ARM64FunctionTable(image: image).read(table, into: &builder, rank: 0)
      }
    case .exceptionIndex(let range, let image):
      ARMExceptionIndex(
        image: LoadedSections(image, at: 0), endianness: target.endianness, end: { _ in .max }
      ).read(range, into: &builder, rank: 0)
    case .stackLines(let bytes):
      var reader = StackLineReader(bytes, architecture: target.architecture)
      reader.read(into: &builder)
    case .frameData(let streams):
      let lines = FrameDataLines(streams).text
      var reader = StackLineReader(ByteView(lines), architecture: target.architecture)
      reader.read(into: &builder)
    }
    return try builder.file(for: target)
  }
}
