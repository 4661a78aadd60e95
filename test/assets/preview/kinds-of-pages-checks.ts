import assert from 'node:assert/strict'
import { type ParsedPreview, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

/** A page that is no article, or is built unlike one. They were labelled before anybody looked at what a preview has. */
interface KindOfPage {
  readonly kind: string
  readonly url: string
  readonly html: string
  readonly expected: Partial<Record<keyof ParsedPreview, unknown>>
}

const pages: readonly KindOfPage[] = [
  {
    kind: 'A product of Shopify, English',
    url: 'https://kettleandco.example.com/products/copper-kettle',
    html: `<html lang="en"><head><title>Copper Kettle – Kettle &amp; Co</title><meta name="description" content="A kettle of hand-beaten copper that holds 1.2 litres and whistles in C."><meta property="og:site_name" content="Kettle &amp; Co"><meta property="og:type" content="product"><meta property="og:title" content="Copper Kettle"><meta property="og:image" content="http://kettleandco.example.com/cdn/shop/files/kettle.jpg?v=1672531200"><meta property="og:image:secure_url" content="https://kettleandco.example.com/cdn/shop/files/kettle.jpg?v=1672531200"></head><body class="template-product"><header class="header"><a href="/" class="header__heading-link"><img src="/cdn/shop/files/logo.png" alt="Kettle &amp; Co" class="header__heading-logo"></a></header><main id="MainContent"><h1 class="product__title">Copper Kettle</h1><div class="price">£48.00</div><div class="product__description rte"><p>A kettle of hand-beaten copper that holds 1.2 litres and whistles in C.</p></div><div id="shopify-product-reviews"><div class="spr-review"><h3 class="spr-review-header-title">Lovely</h3><span class="spr-review-header-byline"><strong>Joan Miller</strong> on <strong>Mar 04, 2023</strong></span><p class="spr-review-content-body">It boils quickly and looks so good on the stove that I bought a second one for my sister.</p></div></div></main><footer>© 2024, Kettle &amp; Co</footer></body></html>`,
    expected: {
      author: null,
      published: null,
      site_name: 'Kettle & Co',
      image: 'http://kettleandco.example.com/cdn/shop/files/kettle.jpg?v=1672531200',
    },
  },
  {
    kind: 'A product of WooCommerce, German',
    url: 'https://www.teekontor-nord.example.de/produkt/assam-broken',
    html: `<html lang="de"><head><title>Assam Broken, 250 g - Teekontor Nord</title><script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"Assam Broken, 250 g","image":"https://www.teekontor-nord.example.de/wp-content/uploads/assam.jpg","description":"Kräftiger Assam aus zweiter Pflückung, malzig und dunkel, für Milch und Kandis gemacht.","offers":[{"@type":"Offer","price":"7.90","priceValidUntil":"2025-12-31","priceCurrency":"EUR","seller":{"@type":"Organization","name":"Teekontor Nord"}}],"review":[{"@type":"Review","datePublished":"2023-02-03T10:00:00+01:00","author":{"@type":"Person","name":"Heike Brandt"},"reviewBody":"Sehr gut"}]}</script></head><body class="single-product"><header><p class="site-title"><a href="https://www.teekontor-nord.example.de/">Teekontor Nord</a></p></header><main><h1 class="product_title entry-title">Assam Broken, 250 g</h1><p class="price">7,90 €</p><div class="woocommerce-product-details__short-description"><p>Kräftiger Assam aus zweiter Pflückung, malzig und dunkel, für Milch und Kandis gemacht.</p></div><div id="reviews"><ol class="commentlist"><li class="review"><strong class="woocommerce-review__author">Heike Brandt</strong> <time class="woocommerce-review__published-date" datetime="2023-02-03T10:00:00+01:00">3. Februar 2023</time></li></ol></div></main></body></html>`,
    expected: {
      author: null,
      published: null,
      site_name: 'Teekontor Nord',
      description: 'Kräftiger Assam aus zweiter Pflückung, malzig und dunkel, für Milch und Kandis gemacht.',
      image: 'https://www.teekontor-nord.example.de/wp-content/uploads/assam.jpg',
    },
  },
  {
    kind: 'A page of documentation by Sphinx, English',
    url: 'https://quaylib.example.org/en/latest/install.html',
    html: `<html lang="en"><head><title>Installation &#8212; Quaylib 3.2 documentation</title></head><body><div class="related" role="navigation"><ul><li class="nav-item nav-item-0"><a href="index.html">Quaylib 3.2 documentation</a> &#187;</li></ul></div><div class="document"><div class="body" role="main"><section id="installation"><h1>Installation<a class="headerlink" href="#installation" title="Permalink">¶</a></h1><p>Quaylib runs on every system that has a C compiler, and installs with one command from its registry.</p><p>Version 3.2 was changed on 2021-03-04: see the notes.</p></section></div></div><div class="sphinxsidebar"><p class="logo"><a href="index.html"><img class="logo" src="_static/logo.png" alt="Logo"/></a></p></div><div class="footer" role="contentinfo">&#169; Copyright 2023, Ivo Lang and contributors. Created using <a href="https://www.sphinx-doc.org/">Sphinx</a> 5.3.0.</div></body></html>`,
    expected: {
      author: null,
      published: null,
      title: 'Installation — Quaylib 3.2 documentation',
      description:
        'Quaylib runs on every system that has a C compiler, and installs with one command from its registry.',
      image: null,
    },
  },
  {
    kind: 'A page of documentation by Docusaurus, English',
    url: 'https://docs.ferryjs.example.com/docs/routes',
    html: `<html lang="en"><head><title>Routes | FerryJS</title><meta name="generator" content="Docusaurus v2.4.1"><meta property="og:title" content="Routes | FerryJS"><meta name="description" content="Every route is a file, and every file in the folder of routes is one."><meta property="og:description" content="Every route is a file, and every file in the folder of routes is one."></head><body><nav class="navbar"><a class="navbar__brand" href="/"><div class="navbar__logo"><img src="/img/logo.svg" alt="FerryJS Logo"></div><b class="navbar__title">FerryJS</b></a></nav><main><article><div class="theme-doc-markdown markdown"><header><h1>Routes</h1></header><p>Every route is a file, and every file in the folder of routes is one.</p></div><footer class="theme-doc-footer"><div class="theme-last-updated">Last updated on <b><time datetime="2023-05-06T07:08:09.000Z">May 6, 2023</time></b> by <b>mkruse</b></div></footer></article></main><footer class="footer">Copyright © 2023 Ferry Labs, Inc.</footer></body></html>`,
    expected: {
      author: null,
      site_name: 'FerryJS',
      description: 'Every route is a file, and every file in the folder of routes is one.',
    },
  },
  {
    kind: 'A topic of Discourse, English',
    url: 'https://forum.sailors.example.net/t/which-rope-for-the-main-sheet/4411',
    html: `<html lang="en"><head><title>Which rope for the main sheet? - Rigging - Sailors' Forum</title><meta name="description" content="My old sheet is worn through where it runs over the block. Ten millimetres, or is eight enough for a boat of six metres?"><meta name="generator" content="Discourse 3.1.0"><meta property="og:site_name" content="Sailors' Forum" /><meta property="og:type" content="website" /><meta property="og:title" content="Which rope for the main sheet?" /><meta property="og:description" content="My old sheet is worn through where it runs over the block. Ten millimetres, or is eight enough for a boat of six metres?" /><meta property="article:published_time" content="2023-06-11T08:30:00+00:00" /></head><body class="crawler"><div id="main-outlet"><h1><a href="/t/4411">Which rope for the main sheet?</a></h1><div itemscope itemtype="http://schema.org/DiscussionForumPosting"><div id='post_1' class='topic-body crawler-post'><div class='crawler-post-meta'><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" href='https://forum.sailors.example.net/u/bosun'><span itemprop='name'>bosun</span></a></span><span class="crawler-post-infos"><time itemprop='datePublished' datetime='2023-06-11T08:30:00Z' class='post-time'>June 11, 2023, 8:30am</time></span></div><div class='post' itemprop='articleBody'><p>My old sheet is worn through where it runs over the block. Ten millimetres, or is eight enough for a boat of six metres?</p></div></div></div></div></body></html>`,
    expected: {
      author: 'bosun',
      published: '2023-06-11T08:30:00.000Z',
      site_name: "Sailors' Forum",
      title: 'Which rope for the main sheet?',
    },
  },
  {
    kind: 'A topic of phpBB, French',
    url: 'https://www.forum-velo.example/viewtopic.php?t=812',
    html: `<html lang="fr"><head><title>Forum Vélo - Quel pneu pour l'hiver ?</title></head><body class="nojs notouch section-viewtopic"><div id="wrap"><div id="page-header"><div id="site-description"><a id="logo" class="logo" href="./index.php"><span class="site_logo"></span></a><h1>Forum Vélo</h1><p>Le forum des cyclistes de tous les jours</p></div></div><div id="page-body"><h2 class="topic-title"><a href="./viewtopic.php?t=812">Quel pneu pour l'hiver ?</a></h2><div id="p9001" class="post has-profile bg2"><dl class="postprofile"><dt><a href="./memberlist.php?u=7" class="username">roue_libre</a></dt></dl><div class="postbody"><p class="author"><a href="./viewtopic.php?p=9001">Message</a> par <strong><a href="./memberlist.php?u=7" class="username">roue_libre</a></strong> » <time datetime="2022-11-05T18:20:00+00:00">05 nov. 2022, 19:20</time></p><div class="content">Bonjour, je roule toute l'année et je cherche un pneu qui tienne sur les feuilles mouillées et le verglas.</div></div></div></div></div></body></html>`,
    expected: { published: '2022-11-05T18:20:00.000Z', site_name: 'Forum Vélo' },
  },
  {
    kind: 'A page of MediaWiki, Spanish',
    url: 'https://es.puertopedia.example.org/wiki/Faro_de_la_Punta',
    html: `<html class="client-nojs" lang="es" dir="ltr"><head><title>Faro de la Punta - Puertopedia, la enciclopedia de los puertos</title><meta name="generator" content="MediaWiki 1.39.0"><meta property="og:image" content="https://es.puertopedia.example.org/w/images/Faro.jpg"><meta property="og:title" content="Faro de la Punta - Puertopedia, la enciclopedia de los puertos"><meta property="og:type" content="website"></head><body class="mediawiki ltr"><div id="content" class="mw-body" role="main"><h1 id="firstHeading" class="firstHeading">Faro de la Punta</h1><div id="bodyContent"><div id="siteSub">De Puertopedia, la enciclopedia de los puertos</div><div id="mw-content-text"><p>El <b>Faro de la Punta</b> es una torre de veinte metros que guía a los barcos desde 1861, cuando se apagó la hoguera del monte.</p><p>Fue restaurado el 3 de mayo de 1974.</p></div></div></div><div id="footer"><ul id="footer-info"><li id="footer-info-lastmod"> Esta página se editó por última vez el 7 feb 2023 a las 10:11.</li></ul></div></body></html>`,
    expected: {
      author: null,
      site_name: 'Puertopedia, la enciclopedia de los puertos',
      description:
        'El Faro de la Punta es una torre de veinte metros que guía a los barcos desde 1861, cuando se apagó la hoguera del monte.',
      image: 'https://es.puertopedia.example.org/w/images/Faro.jpg',
      lang: 'es',
    },
  },
  {
    kind: 'A press release of a company, English',
    url: 'https://www.norrgrid.example.com/newsroom/press-releases/norrgrid-opens-station',
    html: `<html lang="en"><head><title>Norrgrid opens its first station for ships | Norrgrid</title><meta property="og:site_name" content="Norrgrid"><meta property="og:image" content="/globalassets/station.jpg"></head><body><header><a class="logo" href="/">Norrgrid</a></header><main><div class="press-release"><p class="category">Press release</p><h1>Norrgrid opens its first station for ships</h1><p class="press-release__date">14 September 2022 09:00 CEST</p><div class="press-release__body"><p>GOTHENBURG, Sweden — Ships that lie at the quay in Gothenburg take their power from the shore from today, and leave their engines off.</p><h3>For more information, please contact:</h3><p>Anna Berg, Head of Press, Norrgrid<br>+46 31 000 00 00<br><a href="mailto:anna.berg@norrgrid.example.com">anna.berg@norrgrid.example.com</a></p></div></div></main></body></html>`,
    expected: {
      author: null,
      published: '2022-09-14',
      site_name: 'Norrgrid',
      image: 'https://www.norrgrid.example.com/globalassets/station.jpg',
    },
  },
  {
    kind: 'A release of a ministry by Typo3, German',
    url: 'https://www.verkehr.example.de/service/presse/details/bruecke-freigegeben',
    html: `<html lang="de"><head><title>Verkehrsministerium: Brücke freigegeben</title><meta name="generator" content="TYPO3 CMS"><meta name="author" content="Referat Öffentlichkeitsarbeit"></head><body><header><a href="/" title="Zur Startseite"><img src="/fileadmin/logo.svg" alt="Logo Verkehrsministerium" class="logo"></a></header><main id="content"><div class="news news-single"><div class="article" itemscope="itemscope" itemtype="http://schema.org/Article"><div class="header"><h1 itemprop="headline">Brücke freigegeben</h1></div><div class="footer"><p><span class="news-list-date"><time itemprop="datePublished" datetime="2021-08-19">19.08.2021</time></span></p></div><div class="news-text-wrap" itemprop="articleBody"><p>Nach drei Jahren Bauzeit rollt der Verkehr seit heute wieder über die Brücke am Alten Hafen, die um zwei Spuren breiter geworden ist.</p></div></div></div></main></body></html>`,
    expected: {
      published: '2021-08-19',
      site_name: 'Verkehrsministerium',
      description:
        'Nach drei Jahren Bauzeit rollt der Verkehr seit heute wieder über die Brücke am Alten Hafen, die um zwei Spuren breiter geworden ist.',
    },
  },
  {
    kind: 'An article of Ghost, English',
    url: 'https://www.saltnotes.example.com/how-salt-is-made/',
    html: `<html lang="en"><head><title>How salt is made</title><meta name="description" content="Sun, wind and a shallow pond: the oldest factory there is." /><link rel="icon" href="https://www.saltnotes.example.com/favicon.png" type="image/png" /><meta property="og:site_name" content="Salt Notes" /><meta property="og:type" content="article" /><meta property="og:title" content="How salt is made" /><meta property="og:description" content="Sun, wind and a shallow pond: the oldest factory there is." /><meta property="og:image" content="https://www.saltnotes.example.com/content/images/2022/04/pond.jpg" /><meta property="article:published_time" content="2022-04-09T11:00:00.000Z" /><meta name="twitter:label1" content="Written by" /><meta name="twitter:data1" content="Maud Ellery" /><meta name="twitter:label2" content="Filed under" /><meta name="twitter:data2" content="Craft" /><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","publisher":{"@type":"Organization","name":"Salt Notes","logo":{"@type":"ImageObject","url":"https://www.saltnotes.example.com/favicon.png"}},"author":{"@type":"Person","name":"Maud Ellery","url":"https://www.saltnotes.example.com/author/maud/"},"headline":"How salt is made","datePublished":"2022-04-09T11:00:00.000Z","dateModified":"2022-04-10T11:00:00.000Z"}</script></head><body class="post-template"><article class="gh-article"><h1 class="gh-article-title">How salt is made</h1><p>Sun, wind and a shallow pond.</p></article></body></html>`,
    expected: {
      author: 'Maud Ellery',
      published: '2022-04-09T11:00:00.000Z',
      modified: '2022-04-10T11:00:00.000Z',
      site_name: 'Salt Notes',
      logo: 'https://www.saltnotes.example.com/favicon.png',
    },
  },
  {
    kind: 'A letter of a newsletter service, English',
    url: 'https://lightkeeper.newsletters.example.com/p/the-lamp-room',
    html: `<html lang="en"><head><title>The lamp room - by Edda Moss - The Light Keeper</title><meta property="og:title" content="The lamp room"><meta property="og:type" content="article"><meta property="og:description" content="What it is like to sleep under the light"><meta name="description" content="What it is like to sleep under the light"><meta property="og:image" content="https://cdn.newsletters.example.com/image/fetch/w_1200/lamp.png"><meta name="author" content="Edda Moss"></head><body><div class="main-menu"><h1 class="navbar-title"><a href="https://lightkeeper.newsletters.example.com/">The Light Keeper</a></h1></div><article class="newsletter-post post"><h1 class="post-title">The lamp room</h1><h3 class="subtitle">What it is like to sleep under the light</h3><div class="byline-wrapper"><div class="profile-hover"><a href="https://newsletters.example.com/@edda">Edda Moss</a></div><div class="pencraft">Oct 21, 2023</div></div><div class="available-content"><p>Every night at dusk I climb the hundred and eight steps, and every morning I come down again with the smell of oil in my coat.</p></div></article></body></html>`,
    expected: {
      author: 'Edda Moss',
      published: '2023-10-21',
      site_name: 'The Light Keeper',
      description: 'What it is like to sleep under the light',
    },
  },
  {
    kind: 'A post of a Jekyll blog, English',
    url: 'https://pnorth.example.io/2019/07/02/tides.html',
    html: `<html lang="en"><head><title>Reading the tides | Peter North</title><meta name="generator" content="Jekyll v3.8.5" /><meta property="og:title" content="Reading the tides" /><meta name="author" content="Peter North" /><meta property="og:locale" content="en_US" /><meta property="og:site_name" content="Peter North" /><meta property="article:published_time" content="2019-07-02T00:00:00+00:00" /></head><body><header class="site-header"><a class="site-title" rel="author" href="/">Peter North</a></header><main class="page-content"><article class="post h-entry"><header class="post-header"><h1 class="post-title p-name">Reading the tides</h1><p class="post-meta"><time class="dt-published" datetime="2019-07-02T00:00:00+00:00">Jul 2, 2019</time></p></header><div class="post-content e-content"><p>The table on the wall of the harbour office is older than the harbour master, and still right to the minute.</p></div></article></main><footer class="site-footer h-card"></footer></body></html>`,
    expected: {
      author: 'Peter North',
      published: '2019-07-02T00:00:00.000Z',
      site_name: 'Peter North',
      description:
        'The table on the wall of the harbour office is older than the harbour master, and still right to the minute.',
    },
  },
  {
    kind: 'A post of a Hugo blog, Polish',
    url: 'https://blog.kuter.example.pl/posts/lodz/',
    html: `<html lang="pl"><head><title>Stara łódź :: Dziennik kutra</title><meta name="generator" content="Hugo 0.110.0"><meta property="og:title" content="Stara łódź"></head><body><header class="header"><div class="logo"><a href="/">Dziennik kutra</a></div></header><main><div class="post"><h1 class="post-title">Stara łódź</h1><div class="post-meta"><span class="post-date">12 marca 2021</span> <span class="post-author">Jan Zielony</span></div><div class="post-content"><p>Kupiłem ją za cenę roweru i od trzech lat naprawiam ją w stodole u sąsiada, deska po desce.</p></div></div></main></body></html>`,
    expected: {
      author: 'Jan Zielony',
      published: '2021-03-12',
      site_name: 'Dziennik kutra',
      description:
        'Kupiłem ją za cenę roweru i od trzech lat naprawiam ją w stodole u sąsiada, deska po desce.',
    },
  },
  {
    kind: 'An article of Joomla, Italian',
    url: 'https://www.lagazzettadelporto.example.it/notizie/1234-il-molo-riapre',
    html: `<html lang="it-it"><head><title>Il molo riapre - La Gazzetta del Porto</title><meta name="generator" content="Joomla! - Open Source Content Management" /></head><body class="site com_content view-article"><header><a class="brand" href="/"><span class="site-title">La Gazzetta del Porto</span></a></header><main><div class="item-page" itemscope itemtype="https://schema.org/Article"><meta itemprop="inLanguage" content="it-IT" /><div class="page-header"><h2 itemprop="headline">Il molo riapre</h2></div><dl class="article-info muted"><dt class="article-info-term">Dettagli</dt><dd class="createdby" itemprop="author" itemscope itemtype="https://schema.org/Person">Scritto da <span itemprop="name">Lucia Ferri</span></dd><dd class="category-name">Categoria: <a href="/notizie">Notizie</a></dd><dd class="published"><time datetime="2020-06-08T10:00:00+02:00" itemprop="datePublished">Pubblicato: 08 Giugno 2020</time></dd><dd class="hits"><meta itemprop="interactionCount" content="UserPageVisits:120" />Visite: 120</dd></dl><div itemprop="articleBody"><p>Dopo due anni di lavori il molo vecchio riapre ai pescatori e ai curiosi, con una ringhiera nuova e le panchine di prima.</p></div></div></main></body></html>`,
    expected: {
      author: 'Lucia Ferri',
      published: '2020-06-08T08:00:00.000Z',
      site_name: 'La Gazzetta del Porto',
      description:
        'Dopo due anni di lavori il molo vecchio riapre ai pescatori e ai curiosi, con una ringhiera nuova e le panchine di prima.',
    },
  },
  {
    kind: 'The front page of a newspaper, Dutch',
    url: 'https://www.dekadekrant.example.nl/',
    html: `<html lang="nl"><head><title>De Kadekrant | Nieuws van het water</title><meta name="description" content="De Kadekrant brengt elke dag het nieuws van de haven, de sluizen en de scheepvaart."><meta property="og:image" content="https://www.dekadekrant.example.nl/static/share.png"></head><body><header><h1 class="logo"><a href="/">De Kadekrant</a></h1></header><main><section><article class="teaser"><h2><a href="/a/1">Sluis dicht door storm</a></h2><span class="author">Door Kees de Wit</span> <time datetime="2023-11-02T06:00:00+01:00">2 nov.</time><p>De sluis bij de oude haven blijft zeker tot morgen dicht, want het water staat een meter te hoog.</p></article><article class="teaser"><h2><a href="/a/2">Nieuwe veerpont vaart</a></h2><span class="author">Door Ilse Bakker</span> <time datetime="2023-11-01T06:00:00+01:00">1 nov.</time><p>Met twee weken vertraging vaart de nieuwe pont.</p></article><article class="teaser"><h2><a href="/a/3">Haring is terug</a></h2><span class="author">Door Piet Vos</span> <time datetime="2023-10-31T06:00:00+01:00">31 okt.</time><p>Er is weer haring te koop aan de kade.</p></article></section></main></body></html>`,
    expected: {
      author: null,
      published: null,
      site_name: 'De Kadekrant',
      description: 'De Kadekrant brengt elke dag het nieuws van de haven, de sluizen en de scheepvaart.',
    },
  },
  {
    kind: 'A page of a category by WordPress, Portuguese',
    url: 'https://cozinhadocais.example.pt/category/peixe/',
    html: `<html lang="pt-PT"><head><title>Arquivo de Peixe - Cozinha do Cais</title><link rel="alternate" type="application/rss+xml" title="Cozinha do Cais &raquo; Feed da categoria Peixe" href="https://cozinhadocais.example.pt/category/peixe/feed/" /></head><body class="archive category"><header><p class="site-title"><a href="https://cozinhadocais.example.pt/" rel="home">Cozinha do Cais</a></p></header><main><header class="page-header"><h1 class="page-title">Categoria: <span>Peixe</span></h1></header><article class="post"><header class="entry-header"><h2 class="entry-title"><a href="/bacalhau">Bacalhau no forno</a></h2><div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="2022-01-05T10:00:00+00:00">5 de Janeiro, 2022</time></span> <span class="byline">por <span class="author vcard"><a class="url fn n" href="/author/rita">Rita Sousa</a></span></span></div></header><div class="entry-summary"><p>O bacalhau fica de molho dois dias, e só depois vai ao forno com azeite, alho e batatas.</p></div></article><article class="post"><header class="entry-header"><h2 class="entry-title"><a href="/sardinha">Sardinhas na brasa</a></h2><div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="2021-06-12T10:00:00+00:00">12 de Junho, 2021</time></span> <span class="byline">por <span class="author vcard"><a class="url fn n" href="/author/joao">João Reis</a></span></span></div></header></article><article class="post"><header class="entry-header"><h2 class="entry-title"><a href="/polvo">Polvo à lagareiro</a></h2><div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="2021-03-02T10:00:00+00:00">2 de Março, 2021</time></span> <span class="byline">por <span class="author vcard"><a class="url fn n" href="/author/rita">Rita Sousa</a></span></span></div></header></article></main></body></html>`,
    expected: { author: null, published: null, site_name: 'Cozinha do Cais' },
  },
  {
    kind: 'An abstract of a journal, English',
    url: 'https://journals.coastlab.example.org/articles/10.5555/cl.2018.114',
    html: `<html lang="en"><head><title>Sediment under moored ships | Coast Lab Letters</title><meta name="citation_title" content="Sediment under moored ships"><meta name="citation_author" content="Okafor, Ngozi"><meta name="citation_author" content="Lind, Sven"><meta name="citation_journal_title" content="Coast Lab Letters"><meta name="citation_publication_date" content="2018/04/30"><meta name="citation_reference" content="citation_title=Mud; citation_author=A. Other; citation_publication_date=1999"><meta name="dc.publisher" content="Coast Lab Press"></head><body><h1>Sediment under moored ships</h1><div class="authors"><a href="/author/1">Ngozi Okafor</a><sup>1</sup>, <a href="/author/2">Sven Lind</a><sup>2</sup></div><p class="history">Received 3 May 2017 · Accepted 1 March 2018</p><section class="abstract"><h2>Abstract</h2><p>Ships at anchor stir the ground below them. We measured how much, in four harbours and over two winters.</p></section></body></html>`,
    expected: {
      authors: ['Okafor, Ngozi', 'Lind, Sven'],
      published: '2018-04-30',
      description:
        'Ships at anchor stir the ground below them. We measured how much, in four harbours and over two winters.',
    },
  },
  {
    kind: 'An AMP page, Turkish',
    url: 'https://www.limanhaber.example.com.tr/gundem/amp/yeni-iskele',
    html: `<html ⚡ lang="tr"><head><meta charset="utf-8"><title>Yeni iskele açıldı - Liman Haber</title><link rel="canonical" href="https://www.limanhaber.example.com.tr/gundem/yeni-iskele"><script type="application/ld+json">{"@context":"http://schema.org","@type":"NewsArticle","mainEntityOfPage":"https://www.limanhaber.example.com.tr/gundem/yeni-iskele","headline":"Yeni iskele açıldı","datePublished":"2022-05-17T09:00:00+03:00","author":{"@type":"Organization","name":"Liman Haber"},"publisher":{"@type":"Organization","name":"Liman Haber","logo":{"@type":"ImageObject","url":"https://www.limanhaber.example.com.tr/logo-amp.png","width":600,"height":60}},"image":{"@type":"ImageObject","url":"https://www.limanhaber.example.com.tr/img/iskele.jpg","height":800,"width":1200}}</script></head><body><header><a href="/"><amp-img src="/logo.png" width="200" height="40" alt="Liman Haber"></amp-img></a></header><article><h1>Yeni iskele açıldı</h1><span class="author">Ayşe Demir</span><p>İki yıldır süren çalışmaların ardından yeni iskele bu sabah ilk yolcularını karşıladı ve vapurlar sefere başladı.</p></article></body></html>`,
    expected: {
      author: 'Ayşe Demir',
      published: '2022-05-17T06:00:00.000Z',
      site_name: 'Liman Haber',
      image: 'https://www.limanhaber.example.com.tr/img/iskele.jpg',
      logo: 'https://www.limanhaber.example.com.tr/logo-amp.png',
    },
  },
  {
    kind: 'An article of a newspaper, Japanese',
    url: 'https://www.minatoshimbun.example.jp/articles/20230405-0012',
    html: `<html lang="ja"><head><title>新しい桟橋が完成 | みなと新聞</title><meta property="og:site_name" content="みなと新聞"><meta property="og:title" content="新しい桟橋が完成"><meta property="og:description" content="みなと新聞"></head><body><main><article><h1>新しい桟橋が完成</h1><p class="date">2023年4月5日 10時30分</p><p class="writer">山田太郎</p><div class="body"><p>市が三年前から建設していた新しい桟橋が完成し、五日の朝に最初の船が着いた。式典には約二百人が集まった。</p></div></article></main></body></html>`,
    expected: {
      author: '山田太郎',
      published: '2023-04-05',
      site_name: 'みなと新聞',
      description:
        '市が三年前から建設していた新しい桟橋が完成し、五日の朝に最初の船が着いた。式典には約二百人が集まった。',
    },
  },
  {
    kind: 'An article of a portal, Chinese',
    url: 'https://news.gangkou.example.cn/2021/0318/c1001-1.html',
    html: `<html lang="zh-CN"><head><meta charset="utf-8"><title>新码头今日启用--港口网</title><meta name="publishdate" content="2021-03-18"><meta name="source" content="来源：港口网"><meta name="author" content="1001"></head><body><div class="w1000 text_title"><h1>新码头今日启用</h1><p class="author">李明</p><div class="box01"><div class="fl">2021年03月18日08:30&nbsp;&nbsp;来源：<a href="http://news.gangkou.example.cn/">港口网</a></div></div></div><div class="box_con"><p>　　经过两年施工，新码头于今日上午正式启用，首批货轮已经靠岸，预计每年可以处理三百万吨货物。</p></div></body></html>`,
    expected: {
      author: '李明',
      published: '2021-03-18',
      site_name: '港口网',
      description: '经过两年施工，新码头于今日上午正式启用，首批货轮已经靠岸，预计每年可以处理三百万吨货物。',
    },
  },
  {
    kind: 'An article of a newspaper, Korean',
    url: 'https://www.hangunews.example.co.kr/news/articleView.html?idxno=5512',
    html: `<html lang="ko"><head><title>새 부두 문 열다 - 항구뉴스</title><meta property="og:site_name" content="항구뉴스"><meta property="og:description" content="지난 2년간 공사를 마친 새 부두가 오늘 문을 열고 첫 배를 맞았다."></head><body><section class="article-head"><h3 class="heading">새 부두 문 열다</h3><ul class="infomation"><li>기자명 김민수 기자</li><li>입력 2022.08.09 11:20</li><li>댓글 0</li></ul></section><article id="article-view-content-div"><p>지난 2년간 공사를 마친 새 부두가 오늘 문을 열고 첫 배를 맞았다.</p></article></body></html>`,
    expected: { published: '2022-08-09', site_name: '항구뉴스' },
  },
  {
    kind: 'An article of a newspaper, Russian',
    url: 'https://portgazeta.example.ru/news/1881',
    html: `<html lang="ru"><head><title>Новый причал открыт — Портовая газета</title><meta property="og:title" content="Новый причал открыт"></head><body><div class="header"><a href="/" class="logo"><img src="/img/logo.png" alt="Портовая газета"></a></div><div class="content"><h1>Новый причал открыт</h1><div class="info"><span class="date">14 июня 2021, 12:05</span> <span class="author">Автор: Анна Петрова</span></div><div class="text"><p>После двух лет строительства новый причал принял сегодня первое судно, сообщили в управлении порта.</p></div></div></body></html>`,
    expected: {
      author: 'Анна Петрова',
      published: '2021-06-14',
      site_name: 'Портовая газета',
      description:
        'После двух лет строительства новый причал принял сегодня первое судно, сообщили в управлении порта.',
    },
  },
  {
    kind: 'An article of a newspaper, Arabic',
    url: 'https://www.almarfa.example.com/news/4410',
    html: `<html lang="ar" dir="rtl"><head><title>افتتاح الرصيف الجديد | صحيفة المرفأ</title><meta property="og:site_name" content="صحيفة المرفأ"></head><body><main><article><h1>افتتاح الرصيف الجديد</h1><div class="post-info"><span class="post-author">ليلى حداد</span> <span class="post-date">17 مايو 2022</span></div><p>بعد عامين من العمل استقبل الرصيف الجديد صباح اليوم أولى السفن بحضور عدد من الصيادين وأهالي المدينة.</p></article></main></body></html>`,
    expected: {
      author: 'ليلى حداد',
      published: '2022-05-17',
      site_name: 'صحيفة المرفأ',
      dir: 'rtl',
      description:
        'بعد عامين من العمل استقبل الرصيف الجديد صباح اليوم أولى السفن بحضور عدد من الصيادين وأهالي المدينة.',
    },
  },
  {
    kind: 'A page of Squarespace about a studio, English',
    url: 'https://www.harlowstudio.example.com/about',
    html: `<html lang="en-GB"><head><title>About &mdash; Harlow Studio</title><meta property="og:site_name" content="Harlow Studio"/><meta property="og:title" content="About &mdash; Harlow Studio"/><meta property="og:type" content="website"/><meta property="og:image" content="http://static1.squarespace.example.com/static/logo.png?format=1500w"/><meta itemprop="name" content="About — Harlow Studio"/><meta itemprop="thumbnailUrl" content="http://static1.squarespace.example.com/static/logo.png?format=1500w"/></head><body class="collection-type-page"><header class="header"><a href="/" class="header-title-text">Harlow Studio</a></header><main><h1>We draw boats</h1><p>Harlow Studio was founded in 2009 by Tess Harlow and draws working boats for people who live by the water.</p><div class="testimonial"><p>“They listened.”</p><p class="author">— Robert Kane, client</p></div></main></body></html>`,
    expected: {
      author: null,
      published: null,
      site_name: 'Harlow Studio',
      description:
        'Harlow Studio was founded in 2009 by Tess Harlow and draws working boats for people who live by the water.',
    },
  },
  {
    kind: 'A page of Wix about a restaurant, French',
    url: 'https://www.lecabanon.example.fr/',
    html: `<html lang="fr"><head><title>Le Cabanon | Restaurant de poissons | Sète</title><meta name="description" content="Poissons du jour, coquillages et vins du pays, sur le quai à Sète."/><meta property="og:title" content="Le Cabanon | Restaurant de poissons | Sète"/><meta property="og:image" content="https://static.wixstatic.example.com/media/terrasse.jpg"/><meta property="og:site_name" content="Le Cabanon"/><meta property="og:type" content="website"/></head><body><div id="SITE_CONTAINER"><header><h1>Le Cabanon</h1></header><main><p>Ouvert du mardi au samedi, de midi à quatorze heures et de dix-neuf à vingt-deux heures, fermé du 1 au 15 janvier 2024.</p></main><footer><p>© 2023 par Le Cabanon. Créé par Julie Martin</p></footer></div></body></html>`,
    expected: {
      author: null,
      published: null,
      site_name: 'Le Cabanon',
      description: 'Poissons du jour, coquillages et vins du pays, sur le quai à Sète.',
      image: 'https://static.wixstatic.example.com/media/terrasse.jpg',
    },
  },
  {
    kind: 'A story of a publishing platform, English',
    url: 'https://stories.example.com/@nell.frost/why-i-row-3f2a',
    html: `<html lang="en"><head><title>Why I row. Every morning before work I take… | by Nell Frost | Stories</title><meta property="og:type" content="article"><meta property="article:published_time" content="2021-02-20T07:15:00.000Z"><meta name="title" content="Why I row. Every morning before work I take… | by Nell Frost | Stories"><meta property="og:title" content="Why I row"><meta property="og:site_name" content="Stories"><meta name="description" content="Every morning before work I take the old skiff out to the second buoy and back."><meta property="article:author" content="https://stories.example.com/@nell.frost"><meta name="author" content="Nell Frost"></head><body><article><h1>Why I row</h1><a rel="author" href="/@nell.frost">Nell Frost</a> · <span>3 min read</span> · <span>Feb 20, 2021</span><p>Every morning before work I take the old skiff out to the second buoy and back.</p></article></body></html>`,
    expected: {
      author: 'Nell Frost',
      published: '2021-02-20T07:15:00.000Z',
      site_name: 'Stories',
      title: 'Why I row',
    },
  },
  {
    kind: 'A page of an authority, Swedish',
    url: 'https://www.sjofartsrad.example.se/tillstand/ansok-om-kajplats',
    html: `<html lang="sv"><head><title>Ansök om kajplats - Sjöfartsrådet</title></head><body><header><a href="/"><img src="/logo.svg" alt="Sjöfartsrådet, till startsidan"></a></header><main><h1>Ansök om kajplats</h1><p class="ingress">Du som vill lägga till med ett fartyg vid någon av våra kajer behöver ansöka om plats minst en vecka i förväg.</p><p>Från och med den 1 januari 2024 gäller nya avgifter.</p></main><aside><p>Senast uppdaterad 2023-09-12</p><p>Sidansvarig: Eva Holm</p></aside></body></html>`,
    expected: {
      author: null,
      site_name: 'Sjöfartsrådet',
      description:
        'Du som vill lägga till med ett fartyg vid någon av våra kajer behöver ansöka om plats minst en vecka i förväg.',
    },
  },
  {
    kind: 'A page about a person by Drupal, English',
    url: 'https://www.coastal-college.example.edu/people/maria-voss',
    html: `<html lang="en"><head><title>Maria Voss | Coastal College</title><meta name="Generator" content="Drupal 10 (https://www.drupal.org)" /></head><body class="page-node-type-person"><header><a href="/" rel="home" class="site-logo"><img src="/logo.svg" alt="Home"></a><div class="site-name"><a href="/" rel="home">Coastal College</a></div></header><main><article><h1 class="page-title"><span class="field field--name-title">Maria Voss</span></h1><div class="field field--name-field-role">Professor of Hydrology</div><div class="field field--name-body"><p>Maria Voss studies how rivers carry sand to the sea, and teaches the course on estuaries every second spring.</p></div><h2>News</h2><div class="views-row"><a href="/news/1">Award for Maria Voss</a> <span class="date">March 3, 2022</span></div><div class="views-row"><a href="/news/2">A talk on estuaries</a> <span class="date">May 9, 2021</span></div></article></main></body></html>`,
    expected: {
      author: null,
      site_name: 'Coastal College',
      description:
        'Maria Voss studies how rivers carry sand to the sea, and teaches the course on estuaries every second spring.',
    },
  },
  {
    kind: 'A search result of a shop, English',
    url: 'https://shop.example.com/search?q=rope',
    html: `<html lang="en"><head><title>Search: 24 results found for "rope" – Chandlery</title></head><body><header><div class="site-header__logo"><a href="/" class="site-header__logo-image"><img src="/logo.png" alt="Chandlery"></a></div></header><main><h1>24 results for “rope”</h1><ul><li><a href="/p/1">Mooring rope 12 mm</a><p>by <span class="vendor">Marlow Lines</span></p></li><li><a href="/p/2">Main sheet 10 mm</a><p>by <span class="vendor">Liros</span></p></li></ul></main></body></html>`,
    expected: { author: null, published: null, site_name: 'Chandlery' },
  },
]

export const checks: readonly Check[] = pages.map(({ kind, url, html, expected }) => ({
  name: kind,
  async run() {
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const found = await parsePreview(Buffer.from(`<!doctype html>${html}`), { url, headers })
    const compared = { ...found, image: found.image?.url ?? null }
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(compared[field as keyof ParsedPreview], value, field)
  },
}))
