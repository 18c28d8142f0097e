internal import CrashService
internal import Arguments

/// The policy for logs with an unknown `App-Secret`.
package enum UnknownApps: String, CaseIterable, ArgumentValue {
  /// They are stored separately until an operator adopts the app, up to a number of such apps.
  case keep
  /// Their senders are asked to retry, any number of times.
  case refuse
}
