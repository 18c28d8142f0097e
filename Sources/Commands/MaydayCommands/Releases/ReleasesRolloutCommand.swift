import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday releases rollout`
struct ReleasesRolloutCommand: Command {
  static let name = "rollout"
  static let summary = "Offer a release to a share of the installations."
  static let discussion = """
    A hash of the installation's id decides whether it is offered the release: a larger share \
    includes the same installations and more. A server pauses a roll-out whose release crashes \
    more often than the one before it, beyond chance; --check does so once. Only --resume \
    continues it. A pause does not remove installed releases.
    """
  static let examples = [
    Example("mayday releases rollout 1.4.2 25% --app Tern", "One installation in four."),
    Example("mayday releases rollout 1.4.2 --resume", "Continue after a pause."),
    Example("mayday releases rollout 1.4.2", "Show its progress."),
  ]

  @Argument("VERSION", help: "The release: 1.4.2 in all builds, or '1.4.2 (512)'.") var version:
    String
  @Argument("PERCENT", help: "The share: 25%.", isRequired: false) var shares: [String]
  @Option("-a", "--app", help: "The app; needed if several have this release.", value: "NAME")
  var app: String?
  @Flag("--pause", help: "Stop offering it to further installations.") var isPausing
  @Flag("--resume", help: "Continue after a pause.") var isResuming
  @Flag("--check", help: "Pause it if it crashes more often than the release before it.")
  var isChecking
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if Release(version).isEmpty { throw UsageError("VERSION is not a release") }
    _ = try change()
  }

  /// The requested change; `nil` to show the roll-out.
  private func change() throws(UsageError) -> RolloutChange? {
    let flags = [(isPausing, RolloutChange.pause), (isResuming, .resume), (isChecking, .look)]
      .filter(\.0).map(\.1)
    guard flags.count + shares.count <= 1 else {
      throw UsageError("give one of PERCENT, --pause, --resume, --check")
    }
    guard let share = shares.first else { return flags.first }
    return .share(try Self.percent(in: share))
  }

  /// `25` of `25%`.
  static func percent(in share: String) throws(UsageError) -> Int {
    let digits = share.hasSuffix("%") ? share.dropLast() : share[...]
    guard let percent = Int(digits), (0...100).contains(percent) else {
      throw UsageError("'\(share)' is not a share: 0% to 100%")
    }
    return percent
  }

  func run() throws {
    let service = try home.service()
    let release = Release(version)
    let builds =
      if let change = try change() {
        try service.rollOut(release, app: app, change, by: author.name)
      } else {
        try service.rollouts(of: release, app: app)
      }
    if try output.printedJSON(builds, { $0.write($1) }) { return }
    let console = output.console
    try console.write(
      lines: RolloutList(builds: builds).lines(width: console.width, styles: console.styles))
  }
}
