/** Expressions run over whole canonical URLs, of at most 2,000 bytes, and take linear time or nearly so. */
export interface UrlForm {
  readonly matches: RegExp
  /** Shown as an example; a test checks that it matches. */
  readonly like: string
  /** What looks alike and does not match. */
  readonly unlike?: string
}

const CALENDAR = String.raw`\/(?:calend[aá]rio|calend%c3%a1rio|calendars?|calendrier|kalender|agenda|events?|eventos?|schedule)(?:\.\w{2,5})?`
const YEAR = '(?:19|20|21)\\d\\d'
const MONTH = '(?:0?[1-9]|1[0-2])'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'

/** In a query, or in the parameters of a path. */
const PARAMETER = '[?&;]'

export type SetName = '@calendars' | '@sessions' | '@forums'

export function isPatternSet(name: string): name is SetName {
  return Object.hasOwn(PATTERN_SETS, name)
}

/** URLs that crawlers meet again and again and rarely want, by name. A set matches a URL when one of its forms does. */
export const PATTERN_SETS: Readonly<Record<SetName, readonly UrlForm[]>> = {
  '@calendars': [
    {
      // A calendar's segment, and a date at the end of the path.
      matches: new RegExp(`${CALENDAR}/(?:[^?]*/)?${YEAR}[/-]${MONTH}(?:[/-]${DAY})?/?(?:$|\\?)`, 'i'),
      like: 'https://example.org/events/2031-04/',
      unlike: 'https://example.org/events/2031/04/concert',
    },
    {
      matches: new RegExp(`${CALENDAR}/(?:[^?]*/)?${MONTH}[/-]${YEAR}/?(?:$|\\?)`, 'i'),
      like: 'https://example.org/calendario/4/2031',
      unlike: 'https://example.org/2031/04/post',
    },
    {
      matches: new RegExp(`${CALENDAR}/(?:year|month|week|day|list|today|ano|m[eê]s|semana|dia|hoje)(?:$|[/?])`, 'i'),
      like: 'https://example.org/agenda/week/2031-W14',
      unlike: 'https://example.org/agenda/weekend',
    },
    {
      matches: new RegExp(
        `${CALENDAR}/?\\?(?:.*&)?(?:date|day|week|month|year|start|end|from|to|dia|semana|mes|ano|data|d|m|y)=\\d`,
        'i',
      ),
      like: 'https://example.org/calendar.php?view=month&month=4&year=2031',
      unlike: 'https://example.org/calendar.php?id=7',
    },
    {
      matches: /^[^?]*\?(?=(?:.*&)?(?:cal_?)?(?:year|ano|y)=\d)(?=(?:.*&)?(?:cal_?)?(?:month|mes|m)=\d)/i,
      like: 'https://example.org/index.php?id=7&year=2031&month=4',
      unlike: 'https://example.org/report?year=2031',
    },
    {
      // The Events Calendar of WordPress.
      matches: /[?&](?:tribe[-_](?:bar[-_]date|event_display|paged)|eventDisplay|eventDate|(?:outlook-)?ical)=/i,
      like: 'https://example.org/?post_type=tribe_events&eventDisplay=month',
      unlike: 'https://example.org/events/?page=2',
    },
  ],
  '@sessions': [
    {
      matches: new RegExp(
        `${PARAMETER}(?:jsessionid|phpsessid|aspsessionid\\w*|session_?id|sess_?id|oscsid|zenid|xtcsid|cfid|cftoken)=[^&;]`,
        'i',
      ),
      like: 'https://example.org/shop;jsessionid=8A1F?item=3',
      unlike: 'https://example.org/docs/jsessionid',
    },
    {
      matches: new RegExp(`${PARAMETER}(?:s|sid|sess|session)=[\\da-f]{16,}(?:$|[&;])`, 'i'),
      like: 'https://example.org/index.php?sid=0123456789abcdef0123456789abcdef',
      unlike: 'https://example.org/index.php?sid=42',
    },
    {
      // ASP.NET without cookies.
      matches: /\/\((?:[A-Z]\([^()/]*\))*S\([a-z\d]{24}\)(?:[A-Z]\([^()/]*\))*\)(?:\/|$)/,
      like: 'https://example.org/(S(lit3py55t21z5v55vlm25s55))/orders.aspx',
      unlike: 'https://example.org/wiki/Plan_(S(mall))',
    },
  ],
  '@forums': [
    {
      // phpBB
      matches: /\/(?:posting|memberlist|ucp|mcp|report|search|viewonline)\.php(?:$|[?/])/i,
      like: 'https://example.org/forum/posting.php?mode=reply&t=7',
      unlike: 'https://example.org/forum/viewtopic.php?t=7',
    },
    {
      matches: /\/view(?:topic|forum)\.php\?(?:.*&)?(?:p=\d|view=|s[kdt]=|hilit=|vote=|watch=|unwatch=|bookmark=)/i,
      like: 'https://example.org/forum/viewforum.php?f=2&sk=t&sd=a',
      unlike: 'https://example.org/forum/viewforum.php?f=2&start=25',
    },
    {
      // vBulletin and MyBB
      matches:
        /\/(?:new(?:reply|thread)|showpost|printthread|sendmessage|private|member|usercp|subscription|calendar|misc|report|reputation|login|register)\.php(?:$|\?)/i,
      like: 'https://example.org/newreply.php?do=newreply&p=12',
      unlike: 'https://example.org/showthread.php?t=12',
    },
    {
      // Simple Machines Forum
      matches:
        /\/index\.php\?(?:.*[&;])?action=(?:login|register|post|profile|search|printpage|help|who|stats|reminder|report(?:tm)?|sendtopic|emailuser|quickmod|pm|mlist|recent|unread)\w*/i,
      like: 'https://example.org/index.php?action=printpage;topic=12.0',
      unlike: 'https://example.org/index.php?topic=12.0',
    },
    {
      // XenForo
      matches:
        /\/(?:threads\/[^/?]+\/(?:reply|latest|unread|add-reply|watch|post-\d+)|posts\/\d+\/(?:report|bookmark|like|react|reactions|share|quote|edit)|members\/[^/?]*\.\d+|(?:login|register|lost-password|whats-new))(?:$|[/?])/i,
      like: 'https://example.org/threads/hello.12/reply?quote=34',
      unlike: 'https://example.org/threads/hello.12/page-2',
    },
    {
      // Discourse
      matches: /\/(?:u\/[^/?]+(?:$|[/?])|t\/[^?]*\/print(?:$|\?)|new-topic(?:$|\?)|session\/sso)/i,
      like: 'https://example.org/u/ana/activity',
      unlike: 'https://example.org/t/hello/12/3',
    },
  ],
}

/** A pattern that is not the name of a set that does not exist. */
export const SET_OR_PATTERN = new RegExp(`^(?!@)|^(?:${Object.keys(PATTERN_SETS).join('|')})$`)
