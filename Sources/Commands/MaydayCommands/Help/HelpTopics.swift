import Arguments
import CommandSupport

/// The topics of `mayday help` besides commands.
enum HelpTopics {
  static let all = [query, exitCodes, environment, configuration]

  static let query = HelpTopic(
    "query", "How to write queries.",
    [
      .paragraph(
        """
        A query consists of conditions FIELD:VALUE and words to search for; all must match. \
        'mayday fields' lists the fields.
        """),
      .list([
        .init("is:open", "A condition."),
        .init("-is:handled", "Negated."),
        .init("signal:SIGSEGV|SIGBUS", "Either."),
        .init("device:iPhone15,*", "* matches any text, ? any character."),
        .init(
          "version:>=2.4", "This version or later; also >, <, <=. Builds and numbers work alike."),
        .init("build:512..600", "A range, including both ends."),
        .init("first:<7d", "Less than seven days ago; units are s, m (minutes), h, d, w."),
        .init("time:2026-05-01..2026-05-07", "A range of days in UTC, or of RFC 3339 times."),
        .init("file:=Renderer.swift", "Exactly this text; without = a part of the text matches."),
        .init("property.Category:Music", "A custom property set by the app."),
        .init("user:\"\"", "Reports without a user."),
        .init("Renderer", "A word in a function, file or message."),
      ]),
      .paragraph(
        """
        Quote values that contain spaces, and protect the quotes from the shell: \
        'reason:"null dereference"'. In a shell, <, > and | need quotes, too.
        """),
    ])

  static let exitCodes = HelpTopic(
    "exit-codes", "What the exit status means.",
    [.list(ExitCode.allCases.map { .init(String($0.rawValue), $0.meaning) })])

  static let environment = HelpTopic(
    "environment", "The environment variables.",
    [
      .paragraph(
        """
        Options can be set by the environment variables that --help shows in brackets: --home \
        by MAYDAY_HOME, --no-inlines by MAYDAY_NO_INLINES. Lists are separated by colons. A flag is \
        on unless its variable is empty, 0, no, false or off. The command line overrides the \
        environment, and the environment overrides the configuration file.
        """),
      .list(variables),
    ])

  static let variables: [HelpTopic.Row] = [
    .init("MAYDAY_HOME", "The data directory."),
    .init("MAYDAY_CONFIG", "The configuration file; /dev/null uses none."),
    .init(
      "XDG_DATA_HOME",
      "The data directory is its subfolder mayday; by default ~/.local/share."),
    .init(
      "XDG_CONFIG_HOME",
      "The configuration file is mayday/mayday.conf in it; by default ~/.config."),
    .init("NO_COLOR", "Disables colours unless empty."),
    .init(
      "CLICOLOR_FORCE",
      "Enables colours even if the output is not a terminal, unless empty or 0, or NO_COLOR is set."
    ),
    .init("COLUMNS", "Width of tables if the output is not a terminal; by default 80."),
  ]

  static let configuration = HelpTopic(
    "configuration", "The configuration file.",
    [
      .paragraph(
        """
        Settings for every run go in $XDG_CONFIG_HOME/mayday/mayday.conf (by default \
        ~/.config/mayday/mayday.conf), or in the file given by --config or $MAYDAY_CONFIG.
        """),
      .verbatim(
        """
        [mayday]
        home = ~/crashes

        [groups]
        limit = 20

        [symbols add]
        json = yes
        """),
      .paragraph(
        """
        Settings under [mayday] apply to every command that has the option; settings under a \
        command's name apply to that command, and [symbols] to all of its subcommands. Options whose \
        help shows no variable are only set under their command's name. A name is an option without \
        its dashes; the value is the rest of the line. A flag is yes or no. A list has one line per \
        value. A value that begins with ~/ is a path in your home directory.
        """),
      .paragraph(
        """
        'mayday config' shows the settings in effect and where each comes from, 'mayday config check' \
        checks a file, and 'mayday config example' prints one to start from.
        """),
    ])
}
