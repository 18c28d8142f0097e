internal import Bytes
package import CrashStore
internal import Updates

/// The remote configurations of an app, one per line.
package struct RemoteConfigurationList {
  package let configurations: [PublishedConfiguration]

  package init(configurations: [PublishedConfiguration]) { self.configurations = configurations }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .number("NUMBER"), .text("DAY"), .text("AUTHOR", .atEnd), .text("EVENT"), .text("TYPE"),
      .text("VERSION", .atEnd), .text("NOTE", .atEnd),
    ])
    for configuration in configurations {
      let source = configuration.source.map { " to \($0)" } ?? ""
      table.add([
        String(configuration.number), GroupText.day(configuration.time),
        configuration.author.printable, configuration.event.rawValue + source,
        configuration.kind.rawValue,
        configuration.followsReleases
          ? "newest release" : configuration.availableVersion.printable,
        (configuration.note ?? "").printable,
      ])
    }
    return table.lines(width: width, styles: styles)
  }
}
