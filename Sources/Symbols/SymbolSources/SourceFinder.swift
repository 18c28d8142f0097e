internal import Bytes
public import CrashModel
internal import Crypto
internal import DebugInfo
internal import Glibc
internal import SourceText

/// The lines of an image's source files, from the first place that has them: bundles, the debug
/// file itself, the disk.
///
/// A file is read once, however often its lines are asked for.
public struct SourceFinder {
  private let bundles: [SourceBundleFile]
  /// The debug file's facts about its sources.
  private let known: [String: ObjectSource]
  /// When the debug file was written; `nil` where the disk is not to be looked at.
  private let written: timespec?
  private var texts: [String: ByteView?] = [:]
  /// How many more bytes of files may be kept; then the table starts again.
  private var budget = SourceFinder.keptBytes

  private static let keptBytes = 256 << 20
  private static let fileBytes = 64 << 20

  /// - Parameters:
  ///   - bundles: Those of the image's build.
  ///   - file: The debug file, which may carry sources.
  ///   - isOnDisk: Whether sources on this machine's disk count too: those with the checksum that
  ///     the debug file has of them; without one, those that were not changed after it was written.
  public init(bundles: [SourceBundleFile], file: DebugFile? = nil, isOnDisk: Bool = false) {
    self.bundles = bundles
    var known: [String: ObjectSource] = [:]
    for source in file?.object.sources ?? [] where known[source.path]?.text == nil {
      known[source.path] = source
    }
    self.known = known
    written = isOnDisk ? file.flatMap { Self.status(of: $0.path)?.st_mtim } : nil
  }

  /// `count` lines of a file around `line`; `nil` where the file is nowhere to be had, or is
  /// shorter.
  ///
  /// - Parameter path: As the debug information spells it.
  public mutating func excerpt(of path: String, around line: Int, count: Int) -> SourceExcerpt? {
    text(of: path).flatMap { SourceExcerpt($0, around: line, count: count) }
  }

  private mutating func text(of path: String) -> ByteView? {
    if let known = texts[path] { return known }
    let text =
      bundles.lazy.compactMap { $0.bundle.text(of: path) }.first ?? known[path]?.text
      ?? textOnDisk(path)
    budget -= text?.count ?? 0
    if budget < 0 {
      texts.removeAll()
      budget = Self.keptBytes
    }
    texts[path] = .some(text)
    return text
  }

  private func textOnDisk(_ path: String) -> ByteView? {
    guard let written, path.hasPrefix("/"), let changed = Self.status(of: path)?.st_mtim
    else { return nil }
    let checksum = known[path]?.checksum
    let isOlder = (changed.tv_sec, changed.tv_nsec) <= (written.tv_sec, written.tv_nsec)
    guard checksum != nil || isOlder,
      let text = try? ByteView(reading: path, limit: Self.fileBytes)
    else { return nil }
    return checksum == nil || MD5.digest(of: text) == checksum ? text : nil
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
