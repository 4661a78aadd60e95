import assert from 'node:assert/strict'
import { type ParsedPreview, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

const sentence =
  'The harbour opened in 1889 and has moved more than nine million tonnes of grain since then, most of it by rail.'
function sidebar(date: string) {
  return `<aside class="widget-area"><ul><li><a href="/2012/01/02/other">Other</a> <span class="post-date">${date}</span></li></ul></aside>`
}
const comments = `<div id="comments"><ol class="commentlist"><li class="comment"><cite class="fn">Reader One</cite> <time datetime="2020-02-02T10:00:00">2 Feb 2020</time><p>What a nice article this is, I have read it twice and sent it to all of my friends.</p></li></ol></div>`
/** A program or kind of site, a page as its default theme makes it, fields of the preview, and the URL where it matters. */
type PublishedPage = readonly [
  program: string,
  html: string,
  expected: Partial<Record<keyof ParsedPreview, unknown>>,
  url?: string,
]

const pages: readonly PublishedPage[] = [
  [
    'WordPress Twenty Eleven',
    `<html lang="en-US"><head><title>Grain moves | Harbour Notes</title></head><body class="single single-post"><div id="page" class="hfeed"><header id="branding"><hgroup><h1 id="site-title"><span><a href="/" rel="home">Harbour Notes</a></span></h1><h2 id="site-description">Letters from the quay</h2></hgroup></header><div id="content"><article class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">Grain moves</h1><div class="entry-meta"><span class="sep">Posted on </span><a href="/grain" title="9:12 am" rel="bookmark"><time class="entry-date" datetime="2012-05-17T09:12:00+00:00">May 17, 2012</time></a><span class="by-author"> <span class="sep"> by </span> <span class="author vcard"><a class="url fn n" href="/author/ann/" title="View all posts by Ann Lee" rel="author">Ann Lee</a></span></span></div></header><div class="entry-content"><p>${sentence}</p></div></article>${comments}</div></div></body></html>`,
    {
      author: 'Ann Lee',
      published: '2012-05-17T09:12:00.000Z',
      description: sentence,
      site_name: 'Harbour Notes',
    },
    'https://harbournotes.example.com/grain/',
  ],
  [
    'WordPress Kubrick, German',
    `<html lang="de-DE"><head><title>Getreide &laquo; Hafenblog</title></head><body><div id="header"><h1><a href="/">Hafenblog</a></h1><div class="description">Neues vom Kai</div></div><div id="content"><div class="post" id="post-12"><h2><a href="/getreide">Getreide</a></h2><div class="entry"><p>${sentence}</p><p class="postmetadata alt"><small>Dieser Eintrag wurde am Donnerstag, 17. Mai 2012 um 09:12 Uhr ver&ouml;ffentlicht und in der Kategorie <a href="/k" rel="category tag">Hafen</a> abgelegt.</small></p></div></div></div></body></html>`,
    { published: '2012-05-17', author: null, site_name: 'Hafenblog', description: sentence },
    'https://hafenblog.example.de/getreide',
  ],
  [
    'WordPress, German meta line',
    `<html lang="de"><head><title>Getreide – Hafenblog</title></head><body><article><header><h1 class="entry-title">Getreide</h1><p class="post-meta">Von <a href="/author/jo">Jo Meier</a> am 3. Januar 2018 | <a href="#c">2 Kommentare</a></p></header><p>${sentence}</p></article>${sidebar('4. Mai 2019')}</body></html>`,
    { author: 'Jo Meier', published: '2018-01-03' },
  ],
  [
    'WordPress block theme',
    `<html lang="en"><head><title>Grain moves &#8211; Harbour Notes</title></head><body><div class="wp-site-blocks"><header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/" rel="home">Harbour Notes</a></p></header><main class="wp-block-group"><h1 class="wp-block-post-title">Grain moves</h1><div class="wp-block-group"><div class="wp-block-post-date"><time datetime="2022-05-17T09:12:00+00:00"><a href="/grain">May 17, 2022</a></time></div><p class="has-small-font-size">by</p><div class="wp-block-post-author"><div class="wp-block-post-author__content"><p class="wp-block-post-author__name">Ann Lee</p></div></div></div><div class="entry-content wp-block-post-content"><p>${sentence}</p></div></main></div></body></html>`,
    { author: 'Ann Lee', published: '2022-05-17T09:12:00.000Z', site_name: 'Harbour Notes' },
  ],
  [
    'Blogger',
    `<html><head><title>Harbour Notes: Grain moves</title><meta content='blogger' name='generator'/></head><body><div class='header section'><h1 class='title'>Harbour Notes</h1></div><div class='main section'><h2 class='date-header'><span>Thursday, May 17, 2012</span></h2><div class='post hentry'><h3 class='post-title entry-title'>Grain moves</h3><div class='post-body entry-content'>${sentence}<br/><br/>More.</div><div class='post-footer'><span class='post-author vcard'>Posted by <span class='fn'>Ann Lee</span></span> <span class='post-timestamp'>at <a class='timestamp-link' href='/g' rel='bookmark'><abbr class='published' title='2012-05-17T09:12:00-07:00'>9:12 AM</abbr></a></span></div></div></div><div class='widget BlogArchive'>2019 (3) January 2019</div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17T16:12:00.000Z', site_name: 'Harbour Notes' },
    'https://harbournotes.blogspot.com/2012/05/grain.html',
  ],
  [
    'Drupal 7',
    `<html lang="en"><head><title>Grain moves | Harbour Notes</title><meta name="Generator" content="Drupal 7 (http://drupal.org)" /></head><body class="node-type-article"><div id="name-and-slogan"><div id="site-name"><strong><a href="/">Harbour Notes</a></strong></div></div><h1 class="title" id="page-title">Grain moves</h1><div id="node-1" class="node node-article" about="/grain" typeof="sioc:Item foaf:Document"><div class="meta submitted"><span property="dc:date dc:created" content="2012-05-17T09:12:00+02:00" datatype="xsd:dateTime" rel="sioc:has_creator">Submitted by <span class="username" xml:lang="" about="/user/3" typeof="sioc:UserAccount" property="foaf:name">Ann Lee</span> on Thu, 05/17/2012 - 09:12</span></div><div class="content"><div class="field-item even" property="content:encoded"><p>${sentence}</p></div></div></div></body></html>`,
    {
      author: 'Ann Lee',
      published: '2012-05-17T07:12:00.000Z',
      site_name: 'Harbour Notes',
      description: sentence,
    },
  ],
  [
    'Drupal 8',
    `<html lang="en"><head><title>Grain moves | Harbour Notes</title></head><body><h1 class="page-title"><span class="field field--name-title">Grain moves</span></h1><article role="article" class="node node--type-article"><footer class="node__meta"><div class="node__submitted">Submitted by <span class="field field--name-uid"><a href="/user/3" class="username">Ann Lee</a></span> on <span class="field field--name-created">Thu, 17/05/2018 - 09:12</span></div></footer><div class="node__content"><p>${sentence}</p></div></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17', description: sentence },
  ],
  [
    'Joomla 3',
    `<html lang="en-gb"><head><title>Grain moves</title></head><body class="site com_content view-article"><div class="item-page" itemscope itemtype="https://schema.org/Article"><div class="page-header"><h2 itemprop="headline">Grain moves</h2></div><dl class="article-info muted"><dt class="article-info-term">Details</dt><dd class="createdby" itemprop="author" itemscope itemtype="https://schema.org/Person">Written by <span itemprop="name">Ann Lee</span></dd><dd class="published"><span class="icon-calendar"></span><time datetime="2018-05-17T09:12:00+00:00" itemprop="datePublished">Published: 17 May 2018</time></dd><dd class="hits">Hits: 3072</dd></dl><div itemprop="articleBody"><p>${sentence}</p></div></div></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T09:12:00.000Z', description: sentence },
  ],
  [
    'Joomla 1.5',
    `<html xml:lang="de-de" lang="de-de"><head><title>Getreide</title></head><body><table class="contentpaneopen"><tr><td class="contentheading">Getreide</td></tr></table><table class="contentpaneopen"><tr><td><span class="small">Geschrieben von: Ann Lee</span></td></tr><tr><td class="createdate">Donnerstag, den 17. Mai 2012 um 09:12 Uhr</td></tr><tr><td><p>${sentence}</p></td></tr></table></body></html>`,
    { published: '2012-05-17' },
  ],
  [
    'TYPO3 news',
    `<html lang="de"><head><title>Getreide: Hafenverein e.V.</title><meta name="generator" content="TYPO3 CMS"></head><body><div id="content"><div class="news news-single"><div class="article" itemscope="itemscope" itemtype="http://schema.org/Article"><div class="header"><h1 itemprop="headline">Getreide</h1></div><div class="footer"><p><span class="news-list-date"><time itemprop="datePublished" datetime="2018-05-17">17.05.2018</time></span><span class="news-list-author" itemprop="author" itemscope itemtype="http://schema.org/Person">Von: <span itemprop="name">Ann Lee</span></span></p></div><div class="news-text-wrap" itemprop="articleBody"><p>${sentence}</p></div></div></div></div></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17', description: sentence },
  ],
  [
    'TYPO3 tt_news',
    `<html lang="de"><head><title>Getreide - Hafenverein</title></head><body><div class="news-single-item"><div class="news-single-rightbox">17.05.2012</div><h1>Getreide</h1><div class="news-single-timedata">17.05.2012 09:12 Alter: 3 Jahre</div><span class="news-single-author">Von: Ann Lee</span><p class="bodytext">${sentence}</p></div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17' },
  ],
  [
    'Ghost',
    `<html lang="en"><head><title>Grain moves</title><meta property="og:site_name" content="Harbour Notes"><meta property="article:published_time" content="2018-05-17T09:12:00.000Z"><meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ann Lee"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","publisher":{"@type":"Organization","name":"Harbour Notes","logo":{"@type":"ImageObject","url":"https://a.example/logo.png"}},"author":{"@type":"Person","name":"Ann Lee","url":"https://a.example/author/ann/","sameAs":[]},"headline":"Grain moves","datePublished":"2018-05-17T09:12:00.000Z"}</script></head><body><article class="post"><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T09:12:00.000Z', logo: 'https://a.example/logo.png' },
  ],
  [
    'Medium, old',
    `<html><head><title>Grain moves – Harbour Notes – Medium</title><meta property="og:site_name" content="Medium"><meta property="author" content="Ann Lee"><meta property="article:author" content="https://medium.com/@annlee"><meta property="article:published_time" content="2018-05-17T09:12:00.000Z"></head><body><h1>Grain moves</h1><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T09:12:00.000Z' },
  ],
  [
    'Substack',
    `<html lang="en"><head><title>Grain moves - by Ann Lee - Harbour Notes</title><meta name="author" content="Ann Lee"><meta property="og:title" content="Grain moves"></head><body><article class="newsletter-post post"><h1 class="post-title">Grain moves</h1><h3 class="subtitle">About rail</h3><div class="profile-hover"><a href="https://substack.com/@ann">Ann Lee</a></div><div class="pencraft">May 17, 2022</div><div class="available-content"><p>${sentence}</p></div></article></body></html>`,
    { author: 'Ann Lee', published: '2022-05-17' },
  ],
  [
    'Tumblr',
    `<html><head><title>Harbour Notes</title><meta property="og:site_name" content="Tumblr" /><meta property="og:title" content="Harbour Notes" /><meta property="og:type" content="tumblr-feed:entry"></head><body><div class="post text"><h2>Grain moves</h2><p>${sentence}</p><div class="metadata"><a class="date" href="/post/1">May 17th, 2012</a> <a class="notes">12 notes</a></div></div></body></html>`,
    { published: '2012-05-17' },
  ],
  [
    'Squarespace',
    `<html lang="en-US"><head><title>Grain moves &mdash; Harbour Notes</title><meta property="og:site_name" content="Harbour Notes"><meta itemprop="datePublished" content="2018-05-17T09:12:00-0400"><meta itemprop="author" content="Ann Lee"></head><body><article class="entry hentry"><h1 class="entry-title">Grain moves</h1><time class="published" datetime="2018-05-17">May 17, 2018</time><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T13:12:00.000Z' },
  ],
  [
    'Jekyll minima',
    `<html lang="en"><head><title>Grain moves</title><meta name="author" content="Ann Lee" /><meta property="og:locale" content="en_US" /><meta property="og:site_name" content="Harbour Notes" /></head><body><article class="post h-entry" itemscope itemtype="http://schema.org/BlogPosting"><header><h1 class="p-name" itemprop="name headline">Grain moves</h1><p class="post-meta"><time class="dt-published" datetime="2018-05-17T00:00:00+00:00" itemprop="datePublished">May 17, 2018</time></p></header><div class="e-content" itemprop="articleBody"><p>${sentence}</p></div></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T00:00:00.000Z', description: sentence },
  ],
  [
    'Hugo',
    `<html lang="en"><head><title>Grain moves | Ann Lee</title></head><body><main><article><h1>Grain moves</h1><div class="post-meta"><span title='2023-05-17 09:12:00 +0200 CEST'>May 17, 2023</span>&nbsp;·&nbsp;3 min&nbsp;·&nbsp;Ann Lee</div><div class="post-content"><p>${sentence}</p></div></article></main></body></html>`,
    { published: '2023-05-17' },
    'https://annlee.example.com/posts/grain/',
  ],
  [
    'Typepad',
    `<html><head><title>Harbour Notes: Grain moves</title></head><body class="layout-two-column-right"><div id="banner"><h1 id="banner-header"><a href="/">Harbour Notes</a></h1></div><div id="alpha"><h2 class="date-header">May 17, 2012</h2><div class="entry-category-x entry-author-ann entry" id="entry-1"><h3 class="entry-header">Grain moves</h3><div class="entry-content"><div class="entry-body"><p>${sentence}</p></div></div><div class="entry-footer"><p class="entry-footer-info"><span class="post-footers">Posted by <a href="/about">Ann Lee</a> on May 17, 2012 at 09:12 AM</span></p></div></div></div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17', site_name: 'Harbour Notes' },
    'https://www.harbour.typepad.com/notes/2012/05/grain.html',
  ],
  [
    'Movable Type',
    `<html><head><title>Grain moves (Harbour Notes)</title></head><body><div id="content"><div class="entry"><h1 class="asset-name entry-title">Grain moves</h1><div class="asset-meta"><span class="byline">By <span class="vcard author">Ann Lee</span> on <abbr class="published" title="2012-05-17T09:12:00-05:00">May 17, 2012 9:12 AM</abbr></span></div><div class="asset-body"><p>${sentence}</p></div></div></div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17T14:12:00.000Z' },
  ],
  [
    'Serendipity',
    `<html lang="de"><head><title>Getreide | Hafenblog</title></head><body><div id="content"><div class="serendipity_Entry_Date"><h3 class="serendipity_date">Donnerstag, 17. Mai 2012</h3><h4 class="serendipity_title"><a href="/a">Getreide</a></h4><div class="serendipity_entry serendipity_entry_author_annlee"><div class="serendipity_entry_body"><p>${sentence}</p></div><div class="serendipity_entryFooter">Geschrieben von <a href="/authors/1-Ann-Lee">Ann Lee</a> um 09:12</div></div></div></div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17' },
  ],
  [
    'phpBB',
    `<html lang="en-gb"><head><title>Grain moves - Harbour Board</title></head><body id="phpbb"><h2 class="topic-title"><a href="./viewtopic.php?t=1">Grain moves</a></h2><div id="p1" class="post has-profile bg2"><dl class="postprofile"><dt><a href="./memberlist.php?u=2" class="username">annlee</a></dt></dl><div class="postbody"><h3 class="first"><a href="#p1">Grain moves</a></h3><p class="author"><span class="responsive-hide">by <strong><a href="./memberlist.php?u=2" class="username">annlee</a></strong> &raquo; </span><time datetime="2018-05-17T09:12:00+00:00">Thu May 17, 2018 9:12 am</time></p><div class="content">${sentence}</div></div></div><div id="p2" class="post bg1"><div class="postbody"><p class="author">by <strong><a class="username">bob</a></strong> &raquo; <time datetime="2018-05-19T09:12:00+00:00">Sat May 19, 2018 9:12 am</time></p><div class="content">Yes, I think so too, and we should all meet at the harbour.</div></div></div></body></html>`,
    { published: '2018-05-17T09:12:00.000Z' },
  ],
  [
    'Discourse',
    `<html lang="en"><head><title>Grain moves - Harbour Meta</title><meta property="og:site_name" content="Harbour Meta" /><meta property="article:published_time" content="2018-05-17T09:12:00+00:00" /></head><body><div id="topic-title"><h1>Grain moves</h1></div><div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="Grain moves"><div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" href="/u/ann"><span itemprop="name">annlee</span></a></span><time itemprop="datePublished" datetime="2018-05-17T09:12:00Z" class="post-time">May 17, 2018</time></div><div class="post" itemprop="text"><p>${sentence}</p></div></div><div id="post_2" itemprop="comment" itemscope itemtype="http://schema.org/Comment"><span itemprop="author" itemscope><span itemprop="name">bob</span></span><p>Me too, as always, and this is a long sentence about it.</p></div></div></body></html>`,
    { author: 'annlee', published: '2018-05-17T09:12:00.000Z' },
  ],
  [
    'Reuters, old',
    `<html><head><title>Grain moves | Reuters</title></head><body><h1 class="article-headline">Grain moves</h1><div id="articleInfo"><p class="byline">By <a href="/journalists/ann-lee">Ann Lee</a></p><p><span class="location">HAMBURG</span> | <span class="timestamp">Thu May 17, 2012 9:12am EDT</span></p></div><span id="articleText"><p>${sentence}</p><p>(Reporting by Ann Lee; Editing by Bo Chan)</p></span></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17' },
    'http://www.reuters.com/article/grain',
  ],
  [
    'Reuters, credits only',
    `<html><head><title>Grain moves | Reuters</title></head><body><h1>Grain moves</h1><span class="timestamp">Thu May 17, 2012 9:12am EDT</span><span id="articleText"><p>${sentence}</p><p> (Reporting by Ann Lee and Jo Meier in Hamburg; Editing by Bo Chan)</p></span></body></html>`,
    { authors: ['Ann Lee', 'Jo Meier'], published: '2012-05-17' },
    'http://www.reuters.com/article/grain',
  ],
  [
    'Written by at the end',
    `<html><head><title>Grain moves</title></head><body><h1>Grain moves</h1><p>${sentence}</p><p>${sentence}</p><p>Written by Ann Lee</p></body></html>`,
    { author: 'Ann Lee' },
  ],
  [
    'BBC',
    `<html lang="en-GB"><head><title>Grain moves - BBC News</title><meta property="og:site_name" content="BBC News"></head><body><div class="story-body"><h1 class="story-body__h1">Grain moves</h1><div class="byline"><span class="byline__name">By Ann Lee</span><span class="byline__title">Harbour correspondent, BBC News</span></div><ul class="mini-info-list"><li class="mini-info-list__item"><div class="date date--v2" data-seconds="1526541120" data-datetime="17 May 2018">17 May 2018</div></li></ul><p class="story-body__introduction">${sentence}</p></div></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17' },
    'https://www.bbc.co.uk/news/1',
  ],
  [
    'Spiegel',
    `<html lang="de"><head><title>Hafen: Getreide - SPIEGEL ONLINE</title><meta property="og:site_name" content="SPIEGEL ONLINE"><meta name="author" content="SPIEGEL ONLINE, Hamburg, Germany"><meta name="date" content="2018-05-17T09:12:00+02:00"></head><body><div id="content-main"><h2 class="article-title"><span class="headline">Getreide</span></h2><p class="article-intro">${sentence}</p><p class="author">Von <a href="/autor-1.html" rel="author">Ann Lee</a></p><div class="article-function-date">Donnerstag, <b>17.05.2018</b> 09:12 Uhr</div></div></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T07:12:00.000Z' },
    'https://www.spiegel.de/a.html',
  ],
  [
    'Le Monde',
    `<html lang="fr"><head><title>Le grain bouge</title><meta property="og:site_name" content="Le Monde.fr"></head><body><article><h1>Le grain bouge</h1><p class="article__desc">${sentence}</p><section class="meta__authors"><a class="article__author-link" href="/signataires/ann-lee/"><span class="meta__author">Par Ann Lee</span></a></section><span class="meta__date">Publié le 17 mai 2018 à 09h12 - Mis à jour le 18 mai 2018 à 10h00</span><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17' },
    'https://www.lemonde.fr/a.html',
  ],
  [
    'El País',
    `<html lang="es"><head><title>El grano se mueve | EL PAÍS</title><meta property="og:site_name" content="El País"></head><body><article><h1>El grano se mueve</h1><div class="autor"><span class="autor-nombre"><a href="/autor/ann_lee/a/">Ann Lee</a></span></div><div class="articulo-actualizado"><span>Hamburgo</span> - <time datetime="2018-05-17T09:12:00+02:00"><a>17 may 2018 - 09:12 CEST</a></time></div><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T07:12:00.000Z' },
    'https://elpais.com/a.html',
  ],
  [
    'Government press release',
    `<html lang="en"><head><title>Grain moves - GOV.UK</title></head><body><main><h1>Grain moves</h1><dl class="metadata"><dt>From:</dt><dd><a href="/government/organisations/harbour-office">Harbour Office</a></dd><dt>Published</dt><dd>17 May 2018</dd><dt>Last updated</dt><dd>20 May 2018</dd></dl><p>${sentence}</p></main></body></html>`,
    { published: '2018-05-17', author: null },
    'https://www.gov.uk/government/news/grain',
  ],
  [
    'German ministry',
    `<html lang="de"><head><title>BMH - Getreide</title></head><body><div id="content"><h1>Getreide</h1><p class="docData"><span class="date">17.05.2018</span> | Pressemitteilung 12/2018</p><p>${sentence}</p></div><div id="footer"><p>© 2019 Bundesministerium Stand: 01.01.2019</p></div></body></html>`,
    { published: '2018-05-17', author: null },
    'https://www.bmh.example.de/presse/12',
  ],
  [
    'University news',
    `<html lang="en"><head><title>Grain moves | News | University of Harbour</title></head><body><h1>Grain moves</h1><div class="news-byline">Published on 17 May 2018 by Ann Lee, Press Office</div><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17' },
  ],
  [
    'shop',
    `<html lang="en"><head><title>Grain 1 kg | Harbour Shop</title><meta property="og:type" content="product"><meta property="og:site_name" content="Harbour Shop"><script type="application/ld+json">{"@type":"Product","name":"Grain 1 kg","brand":{"@type":"Brand","name":"Quay"},"review":[{"@type":"Review","author":{"@type":"Person","name":"Reader One"},"datePublished":"2019-01-01"}]}</script></head><body><h1 itemprop="name">Grain 1 kg</h1><p>${sentence}</p><div class="reviews"><div class="review"><span class="review-author">Reader Two</span> <span class="review-date">January 2, 2019</span></div></div></body></html>`,
    { author: null, published: null },
  ],
  [
    'front page of a newspaper',
    `<html lang="en"><head><title>Harbour Times: news of the day</title><meta property="og:type" content="website"></head><body><h1>Harbour Times</h1>${['Ann Lee', 'Jo Meier', 'Bo Chan'].map((n, i) => `<article><h2><a href="/2018/05/1${i}/x${i}">News ${i} of the harbour today</a></h2><span class="byline">By ${n}</span><time datetime="2018-05-1${i}">${i}</time><p>${sentence}</p></article>`).join('')}</body></html>`,
    { author: null, published: null },
    'https://harbourtimes.example.com/',
  ],
  [
    'LiveJournal',
    `<html><head><title>annlee: Grain moves</title></head><body><dl class="vcard author"><dt><span class="ljuser"><a href="https://annlee.livejournal.com/"><b>annlee</b></a></span></dt></dl><h1 class="b-singlepost-title entry-title">Grain moves</h1><time class="b-singlepost-author-date published dt-published">2018-05-17 09:12:00</time><div class="b-singlepost-body entry-content"><p>${sentence}</p></div></body></html>`,
    { published: '2018-05-17T09:12:00' },
  ],
  [
    'Dotclear',
    `<html lang="fr"><head><title>Le grain - Carnet du port</title></head><body><div id="p1" class="post"><h2 class="post-title">Le grain</h2><p class="post-info">Par <a href="/a">Ann Lee</a> le jeudi 17 mai 2012, 09:12 - <a href="/category/Port">Port</a> - <a>Lien permanent</a></p><div class="post-content"><p>${sentence}</p></div></div></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17' },
  ],
  [
    'Japanese blog',
    `<html lang="ja"><head><title>穀物の話 : 港ブログ</title></head><body><div class="article"><h2 class="article-title">穀物の話</h2><p class="article-date">2018年05月17日</p><div class="article-body"><p>この港は1889年に開かれ、それ以来九百万トン以上の穀物を運んできました。鉄道でも。</p></div></div></body></html>`,
    { published: '2018-05-17', author: null },
  ],
  [
    'Polish portal',
    `<html lang="pl"><head><title>Zboże - Port.pl</title></head><body><h1>Zboże</h1><div class="art_meta"><span class="art_author">Autor: Ann Lee</span><span class="art_data">17 maja 2018, 09:12</span></div><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17' },
    'https://www.port.pl/a',
  ],
  [
    'Russian news',
    `<html lang="ru"><head><title>Зерно — Порт</title></head><body><h1>Зерно</h1><div class="article__info"><div class="article__info-date">09:12 17.05.2018 <span>(обновлено: 10:00 18.05.2018)</span></div></div><div class="article__author-name">Анна Ли</div><p>${sentence}</p></body></html>`,
    { author: 'Анна Ли', published: '2018-05-17' },
  ],
  [
    'Chinese portal',
    `<html lang="zh-CN"><head><title>港口粮食_新闻中心_港口网</title></head><body><h1>港口粮食</h1><div class="pages-info"><span class="pub_date">2018年05月17日 09:12</span> <span>来源：港口网</span> <span>作者：李安</span></div><p>这个港口于1889年开放，此后已经运送了超过九百万吨粮食，其中大部分是通过铁路运输的。</p></body></html>`,
    { published: '2018-05-17', author: '李安' },
  ],
  [
    'Korean news',
    `<html lang="ko"><head><title>곡물 이동 - 항구일보</title></head><body><h3 class="tit_view">곡물 이동</h3><span class="info_view"><span class="txt_info">김민수 기자</span><span class="txt_info">입력 2018.05.17. 09:12</span></span><p>이 항구는 1889년에 열렸고 그 이후로 구백만 톤 이상의 곡물을 옮겼으며 대부분은 철도로 옮겼습니다.</p></body></html>`,
    { published: '2018-05-17' },
  ],
  [
    'Brazilian portal',
    `<html lang="pt-BR"><head><title>Grão se move</title></head><body><h1>Grão se move</h1><p class="content-publication-data__from">Por Ann Lee, G1 — Santos</p><p class="content-publication-data__updated"><time itemprop="datePublished" datetime="2018-05-17T12:12:00.000Z">17/05/2018 09h12</time> <span>Atualizado há 3 anos</span></p><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T12:12:00.000Z' },
  ],
  [
    'Swedish blog',
    `<html lang="sv-SE"><head><title>Spannmål | Hamnbloggen</title></head><body><article><h1 class="entry-title">Spannmål</h1><div class="entry-meta">Publicerat den <a href="/s"><span class="entry-date">17 maj, 2012</span></a> av <span class="author vcard"><a class="url fn n" href="/author/ann">Ann Lee</a></span></div><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee', published: '2012-05-17' },
  ],
  [
    'mailing list archive',
    `<html><head><title>[port] grain</title></head><body><h1>[port] grain</h1><b>Ann Lee</b> <a href="mailto:x">ann at example.com</a><br><i>Thu May 17 09:12:00 UTC 2012</i><pre>${sentence}</pre></body></html>`,
    { published: '2012-05-17' },
  ],
  [
    'IndieWeb h-entry',
    `<html><head><title>Grain</title></head><body><div class="h-entry"><h1 class="p-name">Grain</h1><a class="p-author h-card" href="/"><img class="u-photo" src="/me.jpg" alt="">Ann Lee</a> <time class="dt-published" datetime="2018-05-17 09:12:00+0200">17 May</time><div class="e-content"><p>${sentence}</p></div></div></body></html>`,
    { author: 'Ann Lee', published: '2018-05-17T07:12:00.000Z' },
  ],
  [
    'WP German meta with category',
    `<html lang="de-DE"><head><title>Getreide | Hafenblog</title></head><body><article><header><h1 class="entry-title">Getreide</h1><div class="entry-meta">Veröffentlicht am <a href="/x"><time class="entry-date published" datetime="2018-01-03T10:00:00+01:00">3. Januar 2018</time><time class="updated" datetime="2019-02-02T10:00:00+01:00">2. Februar 2019</time></a> von <a class="url fn n" href="/author/jo/">Jo Meier</a></div></header><div class="entry-content"><p>${sentence}</p></div></article></body></html>`,
    { author: 'Jo Meier', published: '2018-01-03T09:00:00.000Z' },
  ],
  [
    'wp divi',
    `<html lang="en-US"><head><title>Grain | Notes</title></head><body><div id="main-content"><article class="et_pb_post"><h1 class="entry-title">Grain</h1><p class="post-meta"> by <span class="author vcard"><a href="/author/ann/" title="Posts by Ann Lee" rel="author">Ann Lee</a></span> | <span class="published">Jan 3, 2018</span> | <a href="/category/x" rel="category tag">X</a> | <span class="comments-number"><a href="#respond">0 comments</a></span></p><p>${sentence}</p></article></div></body></html>`,
    { author: 'Ann Lee', published: '2018-01-03' },
  ],
  [
    'text only German',
    `<html lang="de"><head><title>Getreide</title></head><body><h1>Getreide</h1><p>von Jo Meier, 3. Januar 2018</p><p>${sentence}</p></body></html>`,
    { author: 'Jo Meier', published: '2018-01-03', description: sentence },
  ],
  [
    'text only en',
    `<html lang="en"><head><title>Grain</title></head><body><h2>Grain</h2><p><em>Ann Lee, January 3, 2018</em></p><p>${sentence}</p></body></html>`,
    { published: '2018-01-03', description: sentence },
  ],
  [
    'Stand',
    `<html lang="de"><head><title>Getreide</title></head><body><h1>Getreide</h1><p>${sentence}</p><p class="stand">Stand: 03.01.2018</p></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'faz',
    `<html lang="de"><head><title>Getreide</title></head><body><article><h1><span>Getreide</span></h1><ul class="atc-MetaItems"><li class="atc-MetaItem atc-MetaItem-author"><span class="atc-MetaAuthorText">Von</span> <a class="atc-MetaAuthorLink" href="/redaktion/jo-meier-1.html">Jo Meier</a></li><li class="atc-MetaItem"><time class="atc-MetaTime" datetime="2018-01-03T10:00:00+0100">03.01.2018-10:00</time></li></ul><p>${sentence}</p></article></body></html>`,
    { author: 'Jo Meier', published: '2018-01-03T09:00:00.000Z' },
  ],
  [
    'zeit',
    `<html lang="de"><head><title>Getreide | ZEIT ONLINE</title><meta property="og:site_name" content="ZEIT ONLINE"></head><body><article><h1>Getreide</h1><div class="byline">Von <span itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" href="/autoren/M/x"><span itemprop="name">Jo Meier</span></a></span></div><div class="metadata"><time class="metadata__date" datetime="2018-01-03T10:00:00+01:00">3. Januar 2018, 10:00 Uhr</time></div><p>${sentence}</p></article></body></html>`,
    { author: 'Jo Meier', published: '2018-01-03T09:00:00.000Z' },
    'https://www.zeit.de/a',
  ],
  [
    'guardian style',
    `<html lang="en"><head><title>Grain | World news | The Guardian</title></head><body><h1 class="content__headline">Grain</h1><p class="byline"><span itemprop="author" itemscope><a rel="author" itemprop="sameAs" href="/profile/ann"><span itemprop="name">Ann Lee</span></a></span> in Hamburg and <span itemprop="author"><a rel="author" href="/profile/bo"><span itemprop="name">Bo Chan</span></a></span></p><time itemprop="datePublished" datetime="2018-01-03T10:00:00+0000">Wed 3 Jan 2018</time><p>${sentence}</p></body></html>`,
    { authors: ['Ann Lee', 'Bo Chan'], published: '2018-01-03T10:00:00.000Z', site_name: 'The Guardian' },
    'https://www.theguardian.com/a',
  ],
  [
    'two authors comma',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><div class="author">By Ann Lee, Bo Chan and Jo Meier</div><p>${sentence}</p></body></html>`,
    { authors: ['Ann Lee', 'Bo Chan', 'Jo Meier'] },
  ],
  [
    'first para is a date line',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><p>HAMBURG, Jan. 3, 2018 /PRNewswire/ -- ${sentence}</p></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'Last updated only',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><p>${sentence}</p><div id="lastmod">Last modified: 3 January 2018</div></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'copyright footer',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><p>${sentence}</p><footer>© 2018 Harbour. Updated 3 January 2019</footer></body></html>`,
    { published: null },
  ],
  [
    'sidebar dates only',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><p>${sentence}</p><p>${sentence}</p><p>${sentence}</p><p>${sentence}</p><p>${sentence}</p><div class="sidebar"><h3>Recent</h3><ul><li>A <span class="date">May 4, 2019</span></li><li>B <span class="date">May 5, 2019</span></li></ul></div></body></html>`,
    { published: null, author: null },
  ],
  [
    'event page',
    `<html lang="en"><head><title>Grain days</title><script type="application/ld+json">{"@type":"Event","name":"Grain days","startDate":"2030-01-03","organizer":{"@type":"Organization","name":"Harbour"}}</script></head><body><h1>Grain days</h1><p>${sentence}</p></body></html>`,
    { published: null, author: null },
  ],
  [
    'wordpress.com author box',
    `<html lang="en"><head><title>Grain</title></head><body><h1>Grain</h1><p>${sentence}</p><div class="author-box"><h3 class="author-title">About Ann Lee</h3><div class="author-description">Ann Lee writes about harbours and grain since 1999.</div></div></body></html>`,
    { author: 'Ann Lee' },
  ],
  [
    'Danish',
    `<html lang="da"><head><title>Korn</title></head><body><h1>Korn</h1><div class="article-byline">Af <a href="/profil/ann">Ann Lee</a> 3. januar 2018 kl. 10.00</div><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee', published: '2018-01-03' },
  ],
  [
    'Czech',
    `<html lang="cs"><head><title>Obilí</title></head><body><h1>Obilí</h1><div class="autor">Autor: <a href="/a">Jan Novák</a></div><div class="datum">3. ledna 2018 10:00</div><p>${sentence}</p></body></html>`,
    { author: 'Jan Novák', published: '2018-01-03' },
  ],
  [
    'Hungarian',
    `<html lang="hu"><head><title>Gabona</title></head><body><h1>Gabona</h1><div class="date">2018. január 3., szerda 10:00</div><p>${sentence}</p></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'Greek',
    `<html lang="el"><head><title>Σιτάρι</title></head><body><h1>Σιτάρι</h1><span class="author">Του Γιάννη Παπαδόπουλου</span><span class="date">03.01.2018, 10:00</span><p>${sentence}</p></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'Italian',
    `<html lang="it"><head><title>Grano</title></head><body><h1>Grano</h1><p class="firma">di <strong>Maria Rossi</strong></p><p class="data">3 gennaio 2018</p><p>${sentence}</p></body></html>`,
    { author: 'Maria Rossi', published: '2018-01-03' },
  ],
  [
    'Spanish por',
    `<html lang="es"><head><title>Grano</title></head><body><h1>Grano</h1><p class="firma">POR MARÍA LÓPEZ</p><span class="fecha">03/01/2018 10:00</span><p>${sentence}</p></body></html>`,
    { author: 'MARÍA LÓPEZ', published: '2018-01-03' },
  ],
  [
    'Persian calendar',
    `<html lang="fa"><head><title>غله</title></head><body><h1>غله</h1><span class="date">۱۳ دی ۱۳۹۶</span></body></html>`,
    { published: null },
  ],
  [
    'Telegram preview',
    `<html lang="en"><head><title>Grain – Telegraph</title><meta property="article:published_time" content="2018-01-03T10:00:00+0000"><meta property="article:author" content="Ann Lee"><meta property="og:site_name" content="Telegraph"></head><body><h1>Grain</h1><address>Ann Lee<time datetime="2018-01-03T10:00:00+0000">January 03, 2018</time></address><p>${sentence}</p></body></html>`,
    { author: 'Ann Lee' },
  ],
  [
    'address byline',
    `<html lang="en"><head><title>Grain</title></head><body><article><h1>Grain</h1><address class="name">by Ann Lee</address><p>${sentence}</p></article></body></html>`,
    { author: 'Ann Lee' },
  ],
  [
    'arxiv',
    `<html lang="en"><head><title>[1801.00001] Grain</title><meta name="citation_title" content="Grain"><meta name="citation_author" content="Lee, Ann"><meta name="citation_author" content="Chan, Bo"><meta name="citation_date" content="2018/01/03"></head><body></body></html>`,
    { published: '2018-01-03' },
  ],
  [
    'avatar as body image',
    `<html lang="en"><head><title>Grain</title></head><body><article><h1>Grain</h1><img class="avatar photo" src="/a/ann.jpg" width="96" height="96"><p>${sentence}</p><img src="/harbour.jpg" width="800" height="500"></article></body></html>`,
    {
      image: {
        url: 'https://site.example.com/harbour.jpg',
        secure_url: 'https://site.example.com/harbour.jpg',
        type: null,
        width: 800,
        height: 500,
        alt: null,
        source: 'img',
      },
    },
  ],
]

export const checks: readonly Check[] = pages.map(
  ([program, html, expected, url = 'https://site.example.com/a']): Check => ({
    name: program,
    async run() {
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      const got = await parsePreview(Buffer.from(html), { url, headers })
      for (const [key, want] of Object.entries(expected))
        assert.deepEqual(got[key as keyof ParsedPreview], want, key)
    },
  }),
)
