/// The built-in lists of the first rule version, as text.
///
/// A line is a pattern, and after two blanks or more its options:
///
///     raise            the whole normalised name
///     g_log*           its start
///     *_unwrap_failed  its end
///     *Watchdog*       any part of it
///     # a remark
///
/// Options:
///
/// - `above`: the frame ends the life of the process, so what stands above it is dropped.
/// - `bottom`: only among the last frames of a stack, for names that an app may well have too.
/// - `module:PATTERN`: only in an image of that name.
/// - `notapp`: not in an image that is the app's own.
/// - `entry`: where the app's own code begins, which is named when nothing else of the app is.
///
/// Of several lines that fit a name the last wins, and a later list wins over an earlier one.
struct RuleListV1: Sendable {
  let name: String
  let text: String
}

enum RuleListsV1 {
  /// Lists that give a class by name, the weakest first.
  static let classes: [(list: RuleListV1, frameClass: FrameClass)] = [
    (system, .system), (glue, .glue), (base, .base), (death, .death),
  ]

  static let all = [
    system, glue, swift, base, death, extend, handled, idle, memory, images, libraries, runtimes,
    messages,
  ]
}
