internal import Bytes
internal import CArchive
internal import Glibc

/// The archive formats that users have.
public enum Packing: String, CaseIterable, CustomStringConvertible, Sendable {
  case zip, tar
  case tarGzip = "tar.gz"
  case tarBzip2 = "tar.bz2"
  case tarXZ = "tar.xz"
  case tarZstd = "tar.zst"

  public var description: String { rawValue }

  /// An archive of regular files, made by libarchive.
  public func pack(_ members: [(name: String, text: String)]) -> [UInt8] {
    packed { archive in
      if self == .zip {
        archive_write_set_format_zip(archive)
      } else {
        archive_write_set_format_pax_restricted(archive)
      }
      filter(archive)
    } members: {
      members
    }
  }

  private func filter(_ archive: OpaquePointer) {
    switch self {
    case .zip, .tar: break
    case .tarGzip: archive_write_add_filter_gzip(archive)
    case .tarBzip2: archive_write_add_filter_bzip2(archive)
    case .tarXZ: archive_write_add_filter_xz(archive)
    case .tarZstd: archive_write_add_filter_zstd(archive)
    }
  }

  /// `text` compressed with the filter of this packing, without an archive.
  public func compress(_ text: String) -> [UInt8] {
    packed { archive in
      archive_write_set_format_raw(archive)
      filter(archive)
    } members: {
      [("data", text)]
    }
  }

  private func packed(
    _ prepare: (OpaquePointer) -> Void, members: () -> [(name: String, text: String)]
  ) -> [UInt8] {
    guard let archive = archive_write_new() else { return [] }
    defer { archive_write_free(archive) }
    prepare(archive)
    archive_write_set_bytes_per_block(archive, 0)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    var used = 0
    room.withUnsafeMutableBytes { buffer in
      archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used)
      for (name, text) in members() {
        let entry = archive_entry_new()
        archive_entry_set_pathname(entry, name)
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        let bytes = Array(text.utf8)
        archive_entry_set_size(entry, Int64(bytes.count))
        archive_write_header(archive, entry)
        bytes.withUnsafeBytes { _ = archive_write_data(archive, $0.baseAddress, $0.count) }
        archive_entry_free(entry)
      }
      archive_write_close(archive)
    }
    return Array(room.prefix(used))
  }
}
