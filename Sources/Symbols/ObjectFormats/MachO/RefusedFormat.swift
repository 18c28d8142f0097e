internal import Bytes

/// Files that hold debug files of Apple systems in a form that is not read, and what to do instead;
/// the refusal names it, as with any file that cannot be used.
///
/// Source: dyld_cache_header in dyld's `dyld_cache_format.h`: 16 bytes that begin with `dyld_v1`,
/// and `MH_FILESET` in mach-o/loader.h.
enum RefusedFormat {
  private static let sharedCache: [UInt8] = Array("dyld_v1".utf8)

  static func isRefused(_ bytes: ByteView) -> Bool { bytes.starts(with: sharedCache) }

  static func error(for bytes: ByteView) -> ParseError? {
    guard isRefused(bytes) else { return nil }
    return ParseError(
      .unsupported("a dyld shared cache; the libraries extracted from it are"), in: "object file",
      at: 0)
  }

  static func error(for header: MachHeader) -> ParseError? {
    guard header.fileType == MachFileType.fileset else { return nil }
    return ParseError(
      .unsupported("a kernel collection; the kernel and its extensions are"), in: "Mach-O", at: 12)
  }
}
