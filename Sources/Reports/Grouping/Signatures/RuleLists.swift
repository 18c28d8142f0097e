internal import CrashModel

/// The built-in lists, from the files in `Rules`, which ``RuleCompiler`` compiles into the file that is
/// embedded in the program.
///
/// A line is a pattern, and after two blanks or more its options:
///
///     raise            the whole normalised name
///     g_log*           its start
///     *_unwrap_failed  its end
///     *Watchdog*       any part of it
///     # a remark       heads the lines below it
///
/// Options:
///
/// - `above`: the frame ends the life of the process, so the frames above it are dropped.
/// - `bottom`: only among the last frames of a stack, for names that an app may well have too.
/// - `module:PATTERN`: only in an image of that name.
/// - `notapp`: not in an image that is the app's own.
/// - `scripts`: for functions of scripts, too; no other rule holds for them.
/// - `entry`: where the app's own code begins, which is named when nothing else of the app is.
/// - `app`, `system`, `platform`, `package`, `undecided`: the origin of an image (``ImageOrigin``).
///
/// If several lines match a name, the last wins, and a later list wins over an earlier one.
///
/// A line's number is part of the id by which signatures name it, and all bytes of the lists are
/// part of the rules' digest.
struct RuleList: Sendable {
  /// The meaning of a list's lines for the names or texts that match.
  enum Role: Sendable, Equatable {
    /// The class of a function.
    case frameClass(FrameClass)
    case swift, extend, handled, idle, memory, images, libraries, runtimes, messages, tests,
      fileLocks, crumbs, packages
  }

  /// The file's name: `death.rules`.
  let name: String
  let role: Role
  /// Its purpose, in a few words.
  let purpose: String

  init(_ name: String, _ role: Role, _ purpose: String) {
    self.name = name
    self.role = role
    self.purpose = purpose
  }

  /// The class of the functions that match.
  var frameClass: FrameClass? {
    switch role {
    case .frameClass(let frameClass): frameClass
    case .swift: .glue
    default: nil
    }
  }
}

enum RuleLists {
  /// The lists of version 1. The weakest of those that give a class by name is first.
  static let v1 = [
    system, glue, swift, base, death, generated, extend, handled, idle, memory, images, libraries,
    runtimes, messages, tests, fileLocks, crumbs, packages,
  ]

  /// Platform functions recognised by their names, for reports that do not say which image they lie
  /// in.
  static let system = RuleList(
    "system.rules", .frameClass(.system), "named functions of the platforms")

  /// Indirection: functions between two functions of the source.
  static let glue = RuleList(
    "glue.rules", .frameClass(.glue),
    "functions that only forward calls: containers, closures, thunks")

  /// Functions of Swift's standard library as backtraces print them as text, without their module.
  ///
  /// In an optimised program they are in its own image, inlined or specialised, so the image does not decide.
  /// A function is the library's when its type and its name are: `Array.` is a type, `.remove(at:)` a member,
  /// `abs(_:)` a function. So an app's `Array.chunked(by:)` stays the app's. Type parameters are left out.
  /// Operators of a type need no line.
  ///
  /// Source: the interface of the module `Swift` of Swift 6.3, without its internal declarations.
  static let swift = RuleList(
    "swift.rules", .swift,
    "functions of Swift's standard library, named without their module")

  /// The bottoms of threads and event loops.
  static let base = RuleList(
    "base.rules", .frameClass(.base),
    "the bottom of threads and event loops")

  /// Frames that show only how the process died.
  static let death = RuleList(
    "death.rules", .frameClass(.death),
    "functions that show only how the process died")

  /// Indirection recognised by the form of a name: functions that compilers generate, whatever namespace or
  /// class they belong to. The lists before it are about namespaces and classes.
  static let generated = RuleList(
    "generated.rules", .frameClass(.glue),
    "functions that compilers make to call or share code")

  /// Functions of an app that only forward to the next: the walk continues below them.
  static let extend = RuleList(
    "extend.rules", .extend,
    "functions of apps that do not end the walk")

  /// Helpers through which an app reports errors that it has handled.
  static let handled = RuleList(
    "handled.rules", .handled,
    "functions of apps through which errors are reported")

  /// The functions in which an idle main thread waits.
  static let idle = RuleList(
    "idle.rules", .idle,
    "functions in which a main thread waits for events")

  /// Functions that are called when an allocation fails.
  static let memory = RuleList(
    "memory.rules", .memory,
    "functions that are called when memory runs out")

  /// The origin of an image, by its path; the last line that matches decides.
  static let images = RuleList(
    "images.rules", .images,
    "the owner of an image, by its name or path")

  /// Libraries of a platform by their names, for images whose paths do not decide.
  ///
  /// Names that apps use as well (`Charts`, `Network`) are left out: the address distinguishes them. Sources:
  /// Apple's list of frameworks, its shared caches, Microsoft's list of libraries, and the folders `/system`
  /// and `/apex` of Android.
  static let libraries = RuleList(
    "libraries.rules", .libraries,
    "libraries of a platform, for images without a path")

  /// Libraries through which a platform's crashes pass. An unnamed function of theirs shows only how the
  /// process died.
  static let runtimes = RuleList(
    "runtimes.rules", .runtimes,
    "libraries through which a platform's deaths go")

  /// Texts of runtimes that say what happened but not where: the frames decide.
  static let messages = RuleList(
    "messages.rules", .messages,
    "texts that runtimes print for every bug of a kind")

  /// Functions that call the methods of tests.
  static let tests = RuleList(
    "tests.rules", .tests,
    "runners that call the methods of tests")

  /// Functions that work with the locks of files.
  static let fileLocks = RuleList(
    "file-locks.rules", .fileLocks,
    "functions that work with locked files and databases")

  /// Notes of frameworks about what the program was doing when it crashed.
  static let crumbs = RuleList(
    "crumbs.rules", .crumbs,
    "lines that say what ran, not what was wrong")

  /// Libraries that many apps bundle. Their developers crash in them too, so they count as the app if no
  /// other code of the app is below.
  static let packages = RuleList(
    "packages.rules", .packages,
    "libraries that many apps bring along")
}
