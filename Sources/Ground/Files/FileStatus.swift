public import Glibc

/// Facts that distinguish two states of a file without reading it.
public struct FileMark: Hashable, Sendable {
  public let inode: UInt64
  /// In bytes.
  public let size: Int
  /// When it was written to, in nanoseconds since 1970.
  public let modified: Int64

  public init(inode: UInt64, size: Int, modified: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
  }
}

/// The status of a path, links not followed.
public struct FileStatus {
  public enum Kind {
    case file, folder, other
  }

  public let kind: Kind
  public let mark: FileMark
  /// When its content, its name or its rights changed last, in nanoseconds since 1970.
  public let changed: Int64

  public init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    let modified = Self.nanoseconds(status.st_mtim)
    mark = FileMark(
      inode: UInt64(status.st_ino), size: Int(status.st_size), modified: modified)
    changed = max(modified, Self.nanoseconds(status.st_ctim))
  }

  /// Times beyond what 64 bits hold are as good as any.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let whole = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let sum = whole.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
    return whole.overflow || sum.overflow ? 0 : sum.partialValue
  }
}
