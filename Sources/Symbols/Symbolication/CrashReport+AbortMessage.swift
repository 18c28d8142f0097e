internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import SymbolSources

extension CrashReport {
  /// Takes the text that glibc printed before it ended the process for the report's message: a failed
  /// assertion, a damaged heap, a smashed stack.
  ///
  /// The variable `__abort_msg` points at a structure in memory of its own: its size in four bytes, then the
  /// text and a zero.
  ///
  /// Source: `struct abort_msg_s` in `include/stdlib.h` of glibc, `__libc_message_impl` and
  /// `__assert_fail_base`.
  ///
  /// - Throws: What a source of debug files throws that cannot tell.
  mutating func readAbortMessage(_ sources: [any SymbolSource]) throws {
    guard let memory, reason.signal == "SIGABRT", reason.message == nil else { return }
    for image in images where image.hasBuildID && Self.isLibC(image.fileName) {
      guard let base = image.base?.value, let offset = try Self.variable(of: image, sources),
        let structure = memory.word(at: base &+ offset), structure != 0,
        let size = memory.number(at: structure, size: 4), size > 4,
        let text = memory.text(at: structure &+ 4, limit: Int(min(size - 4, Self.messageBytes)))
      else { continue }
      let lines = text.split(whereSeparator: \.isNewline)
      guard !lines.isEmpty else { continue }
      reason.message = lines.joined(separator: "\n")
      return
    }
  }

  private static let messageBytes: UInt64 = 4096

  /// `libc.so.6`, `libc-2.31.so`.
  private static func isLibC(_ name: String) -> Bool {
    name == "libc.so.6" || name.hasPrefix("libc-2.") && name.hasSuffix(".so")
  }

  /// How far the variable is from the image's start, by the first file that names it.
  private static func variable(
    of image: LoadedImage, _ sources: [any SymbolSource]
  ) throws -> UInt64? {
    for source in sources {
      for file in try source.candidates(for: image) {
        // A file that cannot be read is named where its symbols are searched for.
        if let address = (try? file.object.address(ofVariable: "__abort_msg")) ?? nil {
          return address &- file.object.imageBase
        }
      }
    }
    return nil
  }
}
