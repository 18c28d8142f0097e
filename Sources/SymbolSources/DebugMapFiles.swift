internal import Bytes
internal import Glibc
public import ObjectFormats

/// The object files of a program that has a debug map and no debug information of its own.
///
/// A file counts only when it was last written when the map says: the next build overwrites its
/// objects, and lines of another build are worse than none.
public final class DebugMapFiles {
  private var opened: [String: ByteView?] = [:]

  public init() {}

  /// The object file that `part` names, where it lies at the path that the linker read.
  public func find(
    _ part: DebugMap.Object, of map: DebugMap, for program: ObjectFile
  ) -> ObjectFile? {
    let place = DebugMap.Place(map.path(of: part))
    let modified = place.member == nil ? part.modified : 0
    guard let bytes = bytes(of: place.file, modified: modified) else { return nil }
    return map.objectFile(of: part, in: bytes, architecture: program.architecture)
  }

  private func bytes(of path: String, modified: UInt64) -> ByteView? {
    if let known = opened[path] { return known }
    var status = stat()
    var bytes: ByteView?
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      modified == 0 || UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) == modified
    {
      bytes = try? ByteView(mapping: path)
    }
    opened[path] = .some(bytes)
    return bytes
  }
}
