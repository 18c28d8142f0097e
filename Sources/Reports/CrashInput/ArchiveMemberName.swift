/// The name of a member of an archive, as results show it: `crashes/a.zip!logs/b.ips`.
public struct ArchiveMemberName {
  /// The path of the archive on disk.
  let archive: [UInt8]
  /// The whole name.
  let path: [UInt8]

  /// `nil` for the path of a file that exists, and where no part before an exclamation mark is a file.
  public init?(_ path: [UInt8]) {
    let mark = UInt8(ascii: "!")
    guard path.contains(mark), !FolderWalk.exists(path) else { return nil }
    for (index, byte) in path.enumerated() where byte == mark {
      guard FolderWalk.isFile(Array(path[..<index])) else { continue }
      archive = Array(path[..<index])
      self.path = path
      return
    }
    return nil
  }
}
