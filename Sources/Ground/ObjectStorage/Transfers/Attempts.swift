internal import Files
internal import HTTPClient

/// The tries of one operation.
struct Attempts {
  private let plan: RetryPlan
  private let onWait: @Sendable (_ reason: String, _ seconds: Double) -> Void
  private var failures = 0
  private var random = SystemRandomNumberGenerator()
  /// Whether the bucket's region has been corrected, and the credentials renewed: once each.
  var hasChangedRegion = false
  var hasRenewed = false
  /// Whether a failed try may have had its effect.
  var isUncertain = false

  /// Bytes after which a transfer counts as begun anew: a large object over a poor line is not given up as
  /// long as it proceeds.
  static let progress = 1 << 20

  init(
    _ plan: RetryPlan, onWait: @escaping @Sendable (_ reason: String, _ seconds: Double) -> Void
  ) {
    self.plan = plan
    self.onWait = onWait
  }

  /// Waits until the next try.
  ///
  /// - Parameters:
  ///   - asked: Seconds that the server asks for.
  ///   - progress: Bytes of the object that the try has brought.
  /// - Throws: `error`, where there is no next try.
  mutating func pause(
    after error: ObjectStorageError, asked: Int? = nil, progress: Int = 0
  ) throws(ObjectStorageError) {
    if progress >= Self.progress { failures = 0 }
    failures += 1
    isUncertain = true
    guard let wait = plan.wait(after: failures, asked: asked, using: &random) else { throw error }
    onWait(error.description, wait)
    SteadyClock.pause(seconds: wait)
  }
}
