import Glibc

/// The free space on the file system that a path lies on.
public struct DiskSpace: Equatable, Sendable {
  /// Bytes that can still be written without the superuser's share.
  public var free: UInt64
  /// Bytes in all.
  public var total: UInt64
  /// Files that can still be made; `nil` on a file system that does not count them.
  public var freeFiles: UInt64?
  public var isReadOnly: Bool

  public init(free: UInt64, total: UInt64, freeFiles: UInt64? = nil, isReadOnly: Bool = false) {
    self.free = free
    self.total = total
    self.freeFiles = freeFiles
    self.isReadOnly = isReadOnly
  }

  /// - Throws: ``FileError`` where the path cannot be looked at.
  public init(of path: String) throws(FileError) {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { throw FileError("look at", path: path) }
    let block = UInt64(status.f_frsize)
    let (free, isLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: block)
    let (total, isLarger) = UInt64(status.f_blocks).multipliedReportingOverflow(by: block)
    self.init(
      free: isLarge ? .max : free, total: isLarger ? .max : total,
      freeFiles: status.f_files > 0 ? UInt64(status.f_favail) : nil,
      isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
  }
}
