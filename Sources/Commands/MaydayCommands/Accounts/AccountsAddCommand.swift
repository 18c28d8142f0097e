import Arguments
import Bytes
import CommandSupport
import CrashService
import ServerStore
import Terminal

/// `mayday accounts add`
struct AccountsAddCommand: Command {
  static let name = "add"
  static let summary = "Create an account and print a link that signs in once."
  static let discussion = """
    A viewer can read, triage can also decide about groups and upload debug files, and an admin \
    can do everything.

    The first user who signs in through the identity provider under this name within a day gets \
    the account if its role is one that the provider's users get anyway: viewer, or the \
    --oidc-role of `mayday serve`. With --from-provider this holds for any role: use it only if \
    users cannot choose their names at the provider. Other accounts are connected to the provider \
    after signing in with the link.
    """
  static let examples = [
    Example("mayday accounts add ann --role triage", "Ann may decide about groups."),
    Example("mayday accounts add qa --role viewer --app Tern", "The account may read one app."),
    Example(
      "mayday accounts add eve --role admin --from-provider",
      "Eve signs in at the identity provider within a day."),
  ]

  @Argument("NAME", help: "The name of the account.") var name: String
  @Option("--role", help: "The role: viewer, triage or admin.", value: "ROLE")
  var role = "viewer"
  @Option("-a", "--app", help: "Limit it to this app.", value: "APP") var app: String?
  @Flag(
    "--from-provider",
    help: "Give it to whoever first comes from the identity provider under the name within a day.")
  var isFromProvider
  @OptionGroup var link = SignInLinkOptions()
  @OptionGroup var home = ServiceOptions()

  func validate() throws(UsageError) {
    if Account.Role(rawValue: role) == nil {
      throw UsageError("--role is viewer, triage or admin, not '\(role)'")
    }
  }

  func run() throws {
    let account = try home.service(makingHome: true).addAccount(
      name, role: Account.Role(rawValue: role) ?? .viewer, app: app,
      claimability: isFromProvider ? .byName : .upToDefaultRole)
    try Console(colour: .never).write(link.address(account.link).printable + "\n")
  }
}
