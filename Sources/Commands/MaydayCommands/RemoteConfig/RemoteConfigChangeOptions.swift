import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Terminal
import Updates

/// Options for the history note of a change to a remote configuration, and for the output.
struct RemoteConfigChangeOptions {
  @Option("--note", help: "Why, for the history.", value: "TEXT") var note: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func change(
    of app: String, followsReleases: FollowChoice? = nil
  ) throws -> ConfigurationChange {
    if home.server != nil && author.given != nil {
      throw UsageError("--as is for a home; on a server the history names the token")
    }
    return ConfigurationChange(
      app: app, author: author.name, note: note, followsReleases: followsReleases.map { $0 == .yes }
    )
  }

  func print(_ published: PublishedConfiguration) throws {
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(published)
      writer.newLine()
      return try output.console.write(json: writer.takeBytes())
    }
    output.console.say(
      "\(published.app.printable): remote configuration \(published.number) is served: "
        + "\(published.kind.rawValue), "
        + (published.followsReleases
          ? "version of the newest public release"
          : "version \(published.availableVersion.printable)"))
  }
}

/// Whether the newest public release is on offer.
enum FollowChoice: String, CaseIterable, ArgumentValue {
  case yes, no
}
