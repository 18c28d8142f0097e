internal import Bytes
public import CrashModel
internal import Glibc
internal import SourceText

/// The lines of an image's source files, from the first place that has them: bundles, then the disk.
///
/// A file is read once, however often its lines are asked for.
public struct SourceFinder {
  private let bundles: [SourceBundleFile]
  /// When the debug file was written; `nil` where the disk is not to be looked at.
  private let written: timespec?
  private var texts: [String: ByteView?] = [:]
  /// How many more bytes of files may be kept; then the table starts again.
  private var budget = SourceFinder.keptBytes

  private static let keptBytes = 256 << 20
  private static let fileBytes = 64 << 20

  /// - Parameters:
  ///   - bundles: Those of the image's build.
  ///   - debugFile: The path of the debug file, if sources on disk count: those that were not changed
  ///     after it was written.
  public init(bundles: [SourceBundleFile], onDiskFor debugFile: String? = nil) {
    self.bundles = bundles
    written = debugFile.flatMap { Self.status(of: $0)?.st_mtim }
  }

  /// `count` lines of a file around `line`; `nil` where the file is nowhere to be had, or is shorter.
  ///
  /// - Parameter path: As the debug information spells it.
  public mutating func excerpt(of path: String, around line: Int, count: Int) -> SourceExcerpt? {
    text(of: path).flatMap { SourceExcerpt($0, around: line, count: count) }
  }

  private mutating func text(of path: String) -> ByteView? {
    if let known = texts[path] { return known }
    let text = bundles.lazy.compactMap { $0.bundle.text(of: path) }.first ?? textOnDisk(path)
    budget -= text?.count ?? 0
    if budget < 0 {
      texts.removeAll()
      budget = Self.keptBytes
    }
    texts[path] = .some(text)
    return text
  }

  private func textOnDisk(_ path: String) -> ByteView? {
    guard let written, path.hasPrefix("/"), let changed = Self.status(of: path)?.st_mtim,
      (changed.tv_sec, changed.tv_nsec) <= (written.tv_sec, written.tv_nsec)
    else { return nil }
    return try? ByteView(reading: path, limit: Self.fileBytes)
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
