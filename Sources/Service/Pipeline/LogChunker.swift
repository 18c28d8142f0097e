public import Bytes
public import CrashInput
internal import ReportFormats

/// Splits long logs between reports, for ``InputWalker``.
public struct LogChunker: LogSplitting {
  private let divider = FormatRegistry.builtIn.logDivider

  public init() {}

  public func isLog(_ head: ByteView) -> Bool { divider.isLog(head) }

  public func cut(_ window: ByteView, isLast: Bool, isFull: Bool) -> LogChunkEnd {
    switch divider.cut(window, isLast: isLast, isFull: isFull) {
    case .grow: .grow
    case .part(let part, let next): .part(part, next: next)
    }
  }
}
