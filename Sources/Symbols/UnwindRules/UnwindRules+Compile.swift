public import Bytes
internal import DWARF
internal import Identifiers
public import ObjectFormats

extension UnwindRules {
  /// Reads the unwind rules of `object` and writes them as a file.
  ///
  /// The same object gives the same bytes. Damaged parts are left out and noted.
  ///
  /// - Throws: ``ParseError`` when the object has not been linked, or the file would exceed the range of its
  ///   numbers.
  /// - Complexity: O(n log n) in the size of the sections.
  public static func compile(_ object: ObjectFile) throws(ParseError) -> ByteView {
    guard object.kind != .relocatable, object.kind != .core else {
      throw ParseError(
        .unsupported("code before linking, or a memory dump,"), in: "unwind rules", at: 0)
    }
    var builder = UnwindBuilder()
    for isEHFrame in [true, false] {
      do throws(ParseError) {
        guard let section = try CallFrameSection(object, isEHFrame: isEHFrame) else { continue }
        builder.read(section, rank: isEHFrame ? 1 : 2)
      } catch {
        builder.note(error.description)
      }
    }
    do throws(ParseError) {
      try CompactUnwindSection(object)?.read(into: &builder, rank: 0)
    } catch {
      builder.note(error.description)
    }
    do throws(ParseError) {
      try ExceptionFunctions.read(object, into: &builder, rank: 3)
    } catch {
      builder.note(error.description)
    }
    ARMExceptionIndex.read(object, into: &builder, rank: 3)
    if object.container == .breakpad {
      var reader = StackLineReader(object.bytes, architecture: object.architecture)
      reader.read(into: &builder)
    }
    if object.architecture == .i386, let pdb = object.pdb {
      do throws(ParseError) {
        let lines = FrameDataLines(try pdb.frameStreams()).text
        var reader = StackLineReader(ByteView(lines), architecture: object.architecture)
        reader.read(into: &builder)
      } catch {
        builder.note(error.description)
      }
    }
    return try builder.file(for: UnwindTarget(object))
  }

  /// Compiles call frame information (`.eh_frame`) from the memory of a process.
  ///
  /// - Parameters:
  ///   - address: Its address.
  ///   - target: Its image base is the address of the image.
  /// - Throws: ``ParseError`` when the file would exceed the range of its numbers.
  public static func compile(
    callFrames bytes: ByteView, at address: UInt64, for target: UnwindTarget
  ) throws(ParseError) -> ByteView {
    var builder = UnwindBuilder()
    builder.read(
      CallFrameSection(bytes: bytes, isEHFrame: true, at: address, target: target), rank: 1)
    return try builder.file(for: target)
  }

  /// Compiles an exception index of 32-bit Arm (`.ARM.exidx`) from the memory of a process.
  ///
  /// - Parameters:
  ///   - index: Its addresses.
  ///   - bytes: The memory around it, including the data that it refers to.
  ///   - address: The start of that memory.
  ///   - target: Its image base is the address of the image.
  /// - Throws: ``ParseError`` when the file would exceed the range of its numbers.
  public static func compile(
    exceptionIndex index: Range<UInt64>, in bytes: ByteView, at address: UInt64,
    for target: UnwindTarget
  ) throws(ParseError) -> ByteView {
    var builder = UnwindBuilder()
    let base = target.imageBase
    if base <= address, address <= index.lowerBound,
      let start = UInt32(exactly: address - base),
      let first = UInt32(exactly: index.lowerBound - base),
      let end = UInt32(exactly: index.upperBound - base)
    {
      // Linkers put the index after the code.
      ARMExceptionIndex(
        image: LoadedSections(bytes, at: start), endianness: target.endianness, end: { _ in first }
      ).read(first..<end, into: &builder, rank: 3)
    }
    return try builder.file(for: target)
  }
}
