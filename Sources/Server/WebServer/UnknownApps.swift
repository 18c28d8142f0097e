internal import CrashService
internal import Arguments

/// What becomes of logs with an `App-Secret` that nobody has named.
package enum UnknownApps: String, CaseIterable, ArgumentValue {
  /// They are kept apart until somebody adopts them, up to a number of such apps.
  case keep
  /// Their senders are asked to come again, as often as it takes.
  case refuse
}
