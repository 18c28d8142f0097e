public import Bytes
internal import CrashModel
internal import DWARF
public import ObjectFormats

extension UnwindRules {
  /// Reads the unwind rules of `object` and writes them as a file.
  ///
  /// The same object gives the same bytes. What is damaged is left out and becomes a note.
  ///
  /// - Throws: ``ParseError`` when the object has been linked to no addresses yet, or the file would
  ///   need more than its numbers can say.
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
}
